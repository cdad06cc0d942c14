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
    ['prose', times(20, (i) => `This is sentence ${i} of many, and it says so at length.`)],
    ['short sentences', times(20, (i) => `It is ${i}.`)],
    ['code', times(20, (i) => `const a${i} = b(${i});`)],
    ['a table', times(20, (i) => `| name ${i} | integer |`)],
    ['definitions', times(10, (i) => `name_${i} (integer)\n\nSets how much of it there may be at a time.`)],
    ['a short list', times(5, (i) => `Item ${i}`)],
    ['nothing', ''],
  ])('is 1 for %s', (_, text) => expect(weightOfLength(text)).toBe(1));
});
