import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWaiting, WaitedTooLong, withoutTime } from '../../../application/event-sourcing/patience.ts';
import { shown } from '../../../application/event-sourcing/shown.ts';
import { createTurns } from '../../../application/event-sourcing/turns.ts';

const never = (): AbortSignal => new AbortController().signal;

describe('turns', () => {
  it('are given one at a time per key, first come, first served', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 20 }),
        async (scheduler, keys) => {
          const turns = createTurns();
          const under = new Map<string, number>();
          const served: { key: string; number: number }[] = [];
          const all = keys.map(async (key, number) => {
            const end = await turns.take(key, never);
            expect(under.get(key)).toBeUndefined();
            under.set(key, number);
            served.push({ key, number });
            await scheduler.schedule(Promise.resolve());
            under.delete(key);
            end();
          });
          await scheduler.waitFor(Promise.all(all));
          for (const key of new Set(keys)) {
            const order = served.filter((one) => one.key === key).map(({ number }) => number);
            expect(order).toStrictEqual(order.toSorted((x, y) => x - y));
          }
          expect(served).toHaveLength(keys.length);
        },
      ),
    );
  });

  it('ask for a limit only where there is something to wait for', async () => {
    const turns = createTurns();
    let asked = 0;
    const limit = (): AbortSignal => {
      asked += 1;
      return never();
    };
    const end = await turns.take('a', limit);
    const second = turns.take('a', limit);
    end();
    (await second)();
    (await turns.take('a', limit))();
    expect(asked).toBe(1);
  });

  it('pass over whoever gave up waiting', async () => {
    const turns = createTurns();
    const gone = new AbortController();
    const order: string[] = [];
    const end = await turns.take('a', never);
    const left = turns.take('a', () => gone.signal).catch((error: Error) => order.push(error.message));
    const takeLast = async (): Promise<void> => {
      const endLast = await turns.take('a', never);
      order.push('last');
      endLast();
    };
    const last = takeLast();
    gone.abort(new Error('too long'));
    await left;
    expect(order).toStrictEqual(['too long']);
    end();
    await last;
    expect(order).toStrictEqual(['too long', 'last']);
    (await turns.take('a', () => AbortSignal.abort()))();
  });

  it('are not waited for by whoever has no time left', async () => {
    const turns = createTurns();
    const end = await turns.take('a', never);
    await expect(turns.take('a', () => AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    end();
    (await turns.take('a', () => AbortSignal.abort()))();
  });
});

describe('waiting for others', () => {
  it('comes to an end without a limit, too', async () => {
    const { pause } = createWaiting(withoutTime, undefined);
    for (let i = 0; i < 5_000; i += 1) await pause();
    const refused = await pause().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(WaitedTooLong);
    expect(refused).toMatchObject({
      name: 'WaitedTooLong',
      message: 'others kept changing the same thing for as long as this could wait',
    });
  });

  it('is for pauses of up to twice as long each time, a second at most', async () => {
    const slept: number[] = [];
    const sleep = async (ms: number): Promise<void> => void slept.push(ms);
    const { pause } = createWaiting({ ...withoutTime, sleep, random: () => 0.5 }, undefined);
    for (let i = 0; i < 10; i += 1) await pause();
    expect(slept).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 500, 500]);
  });

  it('looks sixteen times whether a stream shows what a conflict named', async () => {
    let [looks, pauses] = [0, 0];
    const at = { state: 0, revision: 4n, position: 'p', last: {} as never, tenant: 'acme' };
    const look = async (known: bigint | 'none', found: typeof at | null = at) => {
      [looks, pauses] = [0, 0];
      const load = async () => ((looks += 1), found);
      const pause = async () => void (pauses += 1);
      const answer = await shown(load, known, pause);
      return [answer === found, looks, pauses];
    };
    expect(await look(5n)).toEqual([true, 16, 15]);
    expect(await look(4n)).toEqual([true, 1, 0]);
    expect(await look('none')).toEqual([true, 1, 0]);
    expect(await look(5n, null)).toEqual([true, 1, 0]);
  });
});
