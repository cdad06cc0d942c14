import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Slot, createSlots } from '../../../application/jobs/slots.ts';

const SLICE_MS = 5_000;
const never = new AbortController().signal;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Slots by a clock that a test moves. */
const world = (slots: number, reserved = 0) => {
  let now = 0;
  const held = createSlots({ slots, reserved, clock: { now: () => now } });
  const running: string[] = [];
  const begin = async (name: string, signal = never): Promise<Slot> => {
    const slot = await held.take(name.charAt(0), signal);
    running.push(name);
    const stop = (): void => void (running.includes(name) && running.splice(running.indexOf(name), 1));
    return {
      yield: async (until, idleUntil) => {
        stop();
        await slot.yield(until, idleUntil);
        running.push(name);
      },
      release: () => {
        stop();
        slot.release();
      },
    };
  };
  return { ...held, begin, running, pass: (ms: number) => void (now += ms) };
};

describe('slots', () => {
  it('are given to work that waits, the tenant with the least running work first', async () => {
    const { begin, running } = world(2);
    const [first, second] = [await begin('a1'), await begin('a2')];
    void begin('a3');
    void begin('b1');
    first.release();
    await settled();
    expect(running).toEqual(['a2', 'b1']);
    second.release();
    await settled();
    expect(running).toEqual(['b1', 'a3']);
  });

  it('are kept for a whole turn, and given to a tenant with less work after it', async () => {
    const { begin, running, pass } = world(2);
    const [first] = [await begin('a1'), await begin('a2')];
    void begin('b1');
    pass(SLICE_MS - 1);
    await first.yield(never);
    expect(running).toEqual(['a2', 'a1']);
    pass(1);
    void first.yield(never);
    await settled();
    expect(running).toEqual(['a2', 'b1']);
  });

  it('are free while their work is idle, also for its own tenant', async () => {
    const { begin, running, free } = world(1);
    const first = await begin('a1');
    const pause = Promise.withResolvers<void>();
    const back = first.yield(never, pause.promise);
    expect(free()).toBe(1);
    const second = await begin('a2');
    pause.resolve();
    await settled();
    expect(running).toEqual(['a2']);
    second.release();
    await back;
    expect(running).toEqual(['a1']);
    expect(free()).toBe(0);
  });

  it('stay with work that is idle while too much other work is', async () => {
    const { begin, free } = world(1);
    const { promise } = Promise.withResolvers<void>();
    for (let i = 0; i < 8; i += 1) void (await begin('a')).yield(never, promise);
    const last = await begin('a');
    await last.yield(never, promise);
    expect(free()).toBe(0);
  });

  it('stay with work whose tenant has no more running than those that wait', async () => {
    const { begin, running, pass } = world(2);
    const [first] = [await begin('a1'), await begin('b1')];
    void begin('b2');
    pass(10 * SLICE_MS);
    await first.yield(never);
    expect(running).toEqual(['b1', 'a1']);
  });

  it('are given back to work that gave its own away, once another one ends', async () => {
    const { begin, running, pass } = world(1);
    const long = await begin('a1');
    const short = begin('b1');
    pass(SLICE_MS);
    const again = Promise.all([long.yield(never), long.yield(never)]);
    (await short).release();
    await again;
    expect(running).toContain('a1');
    expect(running).not.toContain('b1');
  });

  it('are not kept by work that ended while it waited for its next one', async () => {
    const { begin, pass, free } = world(1);
    const long = await begin('a1');
    const short = begin('b1');
    pass(SLICE_MS);
    const again = long.yield(never);
    long.release();
    (await short).release();
    await again;
    expect(free()).toBe(1);
  });

  it('beyond the usual ones are for tenants without any other work', async () => {
    const { begin, running, free } = world(1, 1);
    await begin('a1');
    void begin('a2');
    await settled();
    expect([running, free()]).toEqual([['a1'], -1]);
    await begin('b1');
    void begin('c1');
    await settled();
    expect(running).toEqual(['a1', 'b1']);
  });

  it('are waited for no longer than until the work is to stop', async () => {
    const { begin, running, pass, free } = world(1);
    const long = await begin('a1');
    const shutdown = new AbortController();
    const short = begin('b1');
    pass(SLICE_MS);
    const stopped = Promise.allSettled([long.yield(shutdown.signal), begin('c1', shutdown.signal)]);
    shutdown.abort('shutdown');
    const refused = { status: 'rejected', reason: 'shutdown' };
    expect(await stopped).toEqual([refused, refused]);
    await short;
    long.release();
    expect([running, free()]).toEqual([['b1'], 0]);
    (await short).release();
    await expect(begin('d1', shutdown.signal)).rejects.toBe('shutdown');
    expect(free()).toBe(1);
  });

  it('name the tenants that have their share, and how much more may wait', async () => {
    const { begin, served, room } = world(4);
    for (const name of ['a1', 'a2', 'b1']) await begin(name);
    expect(served()).toEqual(['a']);
    await begin('b2');
    expect([served(), room()]).toEqual([['a', 'b'], 32]);
    void begin('c1');
    expect([served(), room()]).toEqual([['a', 'b', 'c'], 31]);
  });

  it('are never more than there are, and nobody waits for ever', async () => {
    const work = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(5)), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.nat(2), work, async (slots, reserved, pieces) => {
        let [inUse, most] = [0, 0];
        const time = { now: 0 };
        const held = createSlots({ slots, reserved, clock: { now: () => time.now } });
        const busy = (by: number): void => {
          inUse += by;
          most = Math.max(most, inUse);
        };
        const run = async ([tenant, steps]: readonly [string, number]): Promise<void> => {
          const slot = await held.take(tenant, never);
          busy(1);
          for (let step = 0; step < steps; step++) {
            time.now += SLICE_MS;
            busy(-1);
            await slot.yield(never);
            busy(1);
            await settled();
          }
          busy(-1);
          slot.release();
        };
        await Promise.all(pieces.map(run));
        expect(most).toBeLessThanOrEqual(slots + reserved);
        expect([held.free(), held.served()]).toEqual([slots, []]);
      }),
      { numRuns: 50 },
    );
  });
});
