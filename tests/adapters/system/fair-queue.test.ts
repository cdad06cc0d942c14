import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
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

it('who would wait too long is refused at once, but for who shares a line with few', async () => {
  const take = createFairQueue({ maxConcurrent: 1, waitMs: 1_000, errorMessage: 'too many at once' });
  const work = (key: string) => take(key, () => pause(50, key));
  const many = Promise.allSettled(Array.from({ length: 200 }, () => work('a')));
  // By then it is known how long each takes.
  await pause(200);
  const asked = performance.now();
  await expect(work('a')).rejects.toMatchObject({ code: 'unavailable' });
  expect(performance.now() - asked).toBeLessThan(40);
  expect(await work('b')).toBe('b');
  const outcomes = (await many).map(({ status }) => status);
  expect(new Set(outcomes)).toEqual(new Set(['fulfilled', 'rejected']));
});
