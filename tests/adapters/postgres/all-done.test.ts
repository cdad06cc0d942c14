import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { allDone, inOrder } from '../../../adapters/postgres/all-done.ts';

it('answers what each has come to', async () => {
  expect(await allDone([Promise.resolve(1), Promise.resolve('two')])).toEqual([1, 'two']);
});

it('fails as the first that failed, and once the last has ended', async () => {
  const [slow, quick] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let outcome = '';
  const done = allDone([slow.promise, quick.promise]).catch((error: Error) => {
    outcome = error.message;
  });
  quick.reject(new Error('the cause'));
  await nextTurn();
  expect(outcome).toBe('');
  slow.reject(new Error('what follows from it'));
  await done;
  expect(outcome).toBe('the cause');
});

it('takes steps one after the other', async () => {
  const begun: string[] = [];
  const results = await inOrder(['a', 'b', 'c'], async (item, i) => {
    begun.push(`${item} begins`);
    await nextTurn();
    begun.push(`${item} ends`);
    return i;
  });
  expect(results).toEqual([0, 1, 2]);
  expect(begun).toEqual(['a', 'b', 'c'].flatMap((item) => [`${item} begins`, `${item} ends`]));
});
