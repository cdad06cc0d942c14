import { describe, expect, it } from 'vitest';
import { weightOfLength } from '../../../domain/ranking/link-lists.ts';

const times = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n\n');

describe('weightOfLength', () => {
  it('is more for an index and for a table of contents', () => {
    expect(weightOfLength(times(20, (i) => `deadlock_timeout ${i}, Lock Management`))).toBeGreaterThan(1);
    expect(weightOfLength(times(20, (i) => `${i}.1. Creating a Database`))).toBeGreaterThan(1);
  });

  it.each([
    [
      'an entry and the section that it leads to',
      (i: number) => `tapes ${i}, behind a reel of them | 16.2.${i} Reels and All of Their Tapes`,
    ],
    ['a chapter by its letter', () => 'tapes, where reels have none | Appendix B. What is known of tapes'],
    ['further places', (i: number) => `tape_${i}, [1], [2], [3], [4], [5], [6], [7], [8], [9]`],
  ])('is more for %s', (_, line) => expect(weightOfLength(times(12, line))).toBe(4));

  it.each([
    ['cells that say much', () => 'size of a tape | what it may take at most when it is new'],
    ['a long entry', () => 'one two three four five six seven eight | 2.1 Reels'],
    ['a long section', () => 'tape | 2.1 one two three four five six seven eight'],
  ])('is 1 for %s', (_, line) => expect(weightOfLength(times(12, line))).toBe(1));

  it.each([
    ['prose', times(20, (i) => `This is sentence ${i} of many, and it says so at length.`)],
    ['short sentences', times(20, (i) => `It is ${i}.`)],
    ['code', times(20, (i) => `const a${i} = b(${i});`)],
    ['a table', times(20, (i) => `| name ${i} | integer |`)],
    ['definitions', times(10, (i) => `name_${i} (integer)\n\nSets how much of it there may be at a time.`)],
    ['a short list', times(5, (i) => `Item ${i}`)],
    ['nothing', ''],
  ])('is 1 for %s', (_, text) => expect(weightOfLength(text)).toBe(1));

  it('is more from twelve lines on, of which nine in ten are entries', () => {
    const entry = (i: number) => `Item ${i}`;
    expect([11, 12].map((count) => weightOfLength(times(count, entry)))).toEqual([1, 4]);
    expect(weightOfLength(times(11, entry).replaceAll('\n\n', '\n \n'))).toBe(1);
    const mixed = (entries: number) => times(20, (i) => (i < entries ? entry(i) : `It is ${i}.`));
    expect([17, 18].map((entries) => weightOfLength(mixed(entries)))).toEqual([1, 4]);
  });

  it.each([
    ['one two three four five six seven', 4],
    ['one two three four five six seven eight', 1],
    [`a ${'b'.repeat(197)}`, 4],
    [`a ${'b'.repeat(198)}`, 1],
    ['one. ', 1],
    ['one;', 1],
    ['one:', 1],
    ['one!', 1],
    ['one?', 1],
    ['one {', 1],
    ['one }', 1],
    ['one |', 1],
    ['<one>', 1],
    ['one. two', 4],
  ])(
    'takes a line for an entry that has fewer than eight words and ends like neither prose nor code: %j',
    (line, weight) => {
      expect(weightOfLength(times(12, () => line))).toBe(weight);
    },
  );
});
