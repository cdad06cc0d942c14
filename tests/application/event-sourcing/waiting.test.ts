import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBackOff, WaitedTooLong, withoutTime } from '../../../application/event-sourcing/back-off.ts';
import { createKeyQueue } from '../../../application/event-sourcing/key-queue.ts';

const never = (): AbortSignal => new AbortController().signal;

describe('a queue by key', () => {
  it('lets in one at a time for each key, first come, first served', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 20 }),
        async (scheduler, keys) => {
          const queue = createKeyQueue();
          const under = new Map<string, number>();
          const served: { key: string; number: number }[] = [];
          const all = keys.map(async (key, number) => {
            const end = await queue.enter(key, never);
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

  it('asks for a deadline only where there is something to wait for', async () => {
    const queue = createKeyQueue();
    let asked = 0;
    const limit = (): AbortSignal => {
      asked += 1;
      return never();
    };
    const end = await queue.enter('a', limit);
    const second = queue.enter('a', limit);
    end();
    (await second)();
    (await queue.enter('a', limit))();
    expect(asked).toBe(1);
  });

  it('passes over a caller that gave up', async () => {
    const queue = createKeyQueue();
    const gone = new AbortController();
    const order: string[] = [];
    const end = await queue.enter('a', never);
    const left = queue.enter('a', () => gone.signal).catch((error: Error) => order.push(error.message));
    const takeLast = async (): Promise<void> => {
      const endLast = await queue.enter('a', never);
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
    (await queue.enter('a', () => AbortSignal.abort()))();
  });

  it('does not keep a caller whose deadline is over', async () => {
    const queue = createKeyQueue();
    const end = await queue.enter('a', never);
    await expect(queue.enter('a', () => AbortSignal.abort(new Error('too late')))).rejects.toThrow(
      'too late',
    );
    end();
    (await queue.enter('a', () => AbortSignal.abort()))();
  });
});

describe('a back-off', () => {
  it('comes to an end without a deadline, too', async () => {
    const { pause } = createBackOff(withoutTime, undefined);
    for (let i = 0; i < 5_000; i += 1) await pause();
    const refused = await pause().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(WaitedTooLong);
    expect(refused).toMatchObject({
      name: 'WaitedTooLong',
      message: 'others kept changing the same thing for as long as this could wait',
    });
  });

  it('doubles its pauses up to a second', async () => {
    const slept: number[] = [];
    const sleep = async (ms: number): Promise<void> => void slept.push(ms);
    const { pause } = createBackOff({ ...withoutTime, sleep, random: () => 0.5 }, undefined);
    for (let i = 0; i < 10; i += 1) await pause();
    expect(slept).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 500, 500]);
  });
});
