import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sharedByTurn } from '../../../adapters/postgres/turn-sharing.ts';

it('who asks under one key in one turn shares a reading, which begins after the last has asked', async () => {
  let written = 0;
  const read: string[] = [];
  const shared = sharedByTurn(async (key) => {
    read.push(key);
    return `${key} ${written}`;
  });
  const asked = [shared('a'), shared('a'), shared('b')];
  written = 1;
  asked.push(shared('a'));
  expect(read).toEqual([]);
  expect(await Promise.all(asked)).toEqual(['a 1', 'a 1', 'b 1', 'a 1']);
  expect(read).toEqual(['a', 'b']);
});

it('who asks while others read reads once more', async () => {
  const readings = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let count = 0;
  const shared = sharedByTurn(() => readings[count++]!.promise);
  const first = shared('a');
  await nextTurn();
  const second = shared('a');
  await nextTurn();
  expect(count).toBe(2);
  readings[1]!.resolve('second');
  readings[0]!.resolve('first');
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
});

it('a reading that fails fails for all who share it, and for nobody after them', async () => {
  let fails = true;
  const shared = sharedByTurn(async () => {
    if (fails) throw new Error('broken');
    return 'read';
  });
  const asked = await Promise.allSettled([shared('a'), shared('a')]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await shared('a')).toBe('read');
});
