import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PolitenessOptions, createPolitenessGate } from '../../../adapters/crawler/politeness.ts';
import { createFakeTimer } from './fake-timer.ts';
import { neverAborted } from './loopback.ts';

const gateWith = (options: Partial<PolitenessOptions>) => {
  const timer = createFakeTimer();
  const gate = createPolitenessGate({
    maxConcurrency: 1,
    minDelayMs: 0,
    maxDelayMs: 10_000,
    timer,
    ...options,
  });
  const starts: [string, number][] = [];
  const releases: (() => void)[] = [];
  const enter = async (name: string, host = 'a.example', signal = neverAborted()): Promise<void> => {
    const release = await gate.acquire(host, signal);
    starts.push([name, timer.now()]);
    releases.push(release);
  };
  return { gate, timer, starts, releases, enter };
};

describe('createPolitenessGate', () => {
  it('lets no more than maxConcurrency requests run at one host, first come first served', async () => {
    const { timer, starts, releases, enter } = gateWith({ maxConcurrency: 2 });
    const all = Promise.all(['1', '2', '3', '4'].map((name) => enter(name)));
    await timer.advance(0);
    expect(starts.map(([name]) => name)).toEqual(['1', '2']);
    releases[1]?.();
    await timer.advance(0);
    expect(starts.map(([name]) => name)).toEqual(['1', '2', '3']);
    releases[1]?.(); // a second call gives no second turn
    await timer.advance(0);
    expect(starts).toHaveLength(3);
    releases[0]?.();
    await all;
    expect(starts.map(([name]) => name)).toEqual(['1', '2', '3', '4']);
  });

  it('keeps the least delay between starts, per host', async () => {
    const { timer, starts, enter } = gateWith({ maxConcurrency: 9, minDelayMs: 100 });
    const all = Promise.all([enter('1'), enter('2'), enter('3'), enter('other', 'b.example')]);
    await timer.advance(1000);
    await all;
    expect(starts).toEqual([
      ['1', 0],
      ['other', 0],
      ['2', 100],
      ['3', 200],
    ]);
    expect(timer.sleeping()).toBe(0);
  });

  it.each([
    [50, 100],
    [500, 500],
    [1e9, 10_000],
  ])('with a crawl delay of %i ms and a configured one of 100 ms keeps %i ms', async (asked, kept) => {
    const { gate, timer, starts, enter } = gateWith({ maxConcurrency: 9, minDelayMs: 100 });
    gate.setDelay('a.example', asked);
    const all = Promise.all([enter('1'), enter('2')]);
    await timer.advance(20_000);
    await all;
    expect(starts.map(([, at]) => at)).toEqual([0, kept]);
  });

  it('starts nothing at a host that asked for time', async () => {
    const { gate, timer, starts, enter } = gateWith({ maxConcurrency: 9 });
    gate.postpone('a.example', 3000);
    gate.postpone('a.example', 1000);
    const all = Promise.all([enter('1'), enter('2')]);
    await timer.advance(5000);
    await all;
    expect(starts.map(([, at]) => at)).toEqual([3000, 3000]);
  });

  it('gives the turn of a caller who aborts to the next', async () => {
    const { starts, releases, enter } = gateWith({});
    await enter('1');
    const controller = new AbortController();
    const gone = new Error('cancelled');
    const second = enter('2', 'a.example', controller.signal);
    const third = enter('3');
    controller.abort(gone);
    await expect(second).rejects.toBe(gone);
    releases[0]?.();
    await third;
    expect(starts.map(([name]) => name)).toEqual(['1', '3']);
  });

  it('never breaks its bounds, whatever comes when', async () => {
    const arrivals = fc.array(fc.record({ at: fc.nat(500), lasts: fc.nat(300), aborts: fc.boolean() }), {
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.nat(50),
        arrivals,
        async (maxConcurrency, minDelayMs, list) => {
          const { gate, timer } = gateWith({ maxConcurrency, minDelayMs });
          const starts: number[] = [];
          let active = 0;
          let most = 0;
          const served = list.map(async ({ at, lasts, aborts }) => {
            await timer.sleep(at, neverAborted());
            const controller = new AbortController();
            if (aborts) setImmediate(() => controller.abort(new Error('cancelled')));
            const release = await gate.acquire('a.example', controller.signal).catch(() => null);
            if (release === null) return;
            starts.push(timer.now());
            active += 1;
            most = Math.max(most, active);
            await timer.sleep(lasts, neverAborted());
            active -= 1;
            release();
          });
          await timer.advance(20_000);
          await Promise.all(served);
          expect(most).toBeLessThanOrEqual(maxConcurrency);
          expect(starts.slice(1).filter((start, index) => start - starts[index]! < minDelayMs)).toEqual([]);
          expect(timer.sleeping()).toBe(0);
        },
      ),
      { numRuns: 30 },
    );
  });
});
