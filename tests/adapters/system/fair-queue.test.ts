import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFairQueue } from '../../../adapters/system/fair-queue.ts';

const open = (maxConcurrent: number, waitMs = 60_000) => {
  const take = createFairQueue({ maxConcurrent, waitMs, errorMessage: 'too many at once' });
  const begun: string[] = [];
  const held = new Map<string, PromiseWithResolvers<void>>();
  /** Begins `name`, which is of the key that it begins with, when it is its turn, and ends it when told. */
  const ask = async (name: string): Promise<string> =>
    take(name[0]!, async () => {
      begun.push(name);
      const end = Promise.withResolvers<void>();
      held.set(name, end);
      await end.promise;
      return name;
    });
  const end = async (name: string): Promise<void> => {
    held.get(name)?.resolve();
    await pause(1);
  };
  return { ask, end, begun, held, take };
};

it('no more is done at once than may be, in turn for each key', async () => {
  const { ask, end, begun } = open(2);
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(ask);
  await pause(1);
  expect(begun).toEqual(['a1', 'a2']);
  const order = ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2'];
  for (const name of order) await end(name);
  expect(begun).toEqual(order);
  expect(await Promise.all(all)).toHaveLength(7);
});

it('who waits too long is refused and never done, and others go on', async () => {
  const { ask, end, begun } = open(1, 30);
  const first = ask('a1');
  await expect(ask('a2')).rejects.toMatchObject({ code: 'unavailable', message: 'too many at once' });
  const third = ask('a3');
  await end('a1');
  await end('a3');
  expect(await Promise.all([first, third])).toEqual(['a1', 'a3']);
  expect(begun).toEqual(['a1', 'a3']);
});

it('makes room after a failure', async () => {
  const { take } = open(1);
  const failing = take('a', async () => {
    throw new Error('broken');
  });
  const after = take('a', async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await after).toBe('done');
});

describe('many at once', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  /** Two at once, each of 50 ms; who does not begin within a second is refused. Tells when each was answered. */
  const burst = () => {
    const take = createFairQueue({ maxConcurrent: 2, waitMs: 1_000, errorMessage: 'too many at once' });
    const answered = { done: [] as number[], refused: [] as number[] };
    const begun = performance.now();
    const ask = async (key: string): Promise<string> => {
      const work = () => new Promise<void>((resolve) => void setTimeout(resolve, 50));
      const outcome = await take(key, work).then(
        () => 'done' as const,
        () => 'refused' as const,
      );
      answered[outcome].push(performance.now() - begun);
      return outcome;
    };
    return { ask, answered };
  };

  it('are refused as soon as it is known that they cannot begin in time; the others are all done', async () => {
    const { ask, answered } = burst();
    const all = Array.from({ length: 200 }, () => ask('a'));
    await vi.advanceTimersByTimeAsync(2_000);
    await Promise.all(all);
    // Two are done each 50 ms. Two rounds show it.
    expect(answered.done).toHaveLength(40);
    expect(new Set(answered.refused)).toEqual(new Set([100]));
  });

  it('make a later one fail at once, but one whose key has none waiting is done in its turn', async () => {
    const { ask, answered } = burst();
    const all = Array.from({ length: 200 }, () => ask('a'));
    await vi.advanceTimersByTimeAsync(110);
    const later = Array.from({ length: 20 }, () => ask('a'));
    const other = ask('b');
    await vi.advanceTimersByTimeAsync(1);
    expect(answered.refused.filter((at) => at === 110).length).toBeGreaterThan(10);
    await vi.advanceTimersByTimeAsync(100);
    expect(await other).toBe('done');
    await vi.advanceTimersByTimeAsync(2_000);
    await Promise.all([...all, ...later]);
  });

  it('all wait where they can begin in time', async () => {
    const { ask, answered } = burst();
    const all = Array.from({ length: 40 }, () => ask('a'));
    await vi.advanceTimersByTimeAsync(2_000);
    await Promise.all(all);
    expect(answered.refused).toEqual([]);
  });
});
