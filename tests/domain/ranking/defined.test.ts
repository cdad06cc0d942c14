import { describe, expect, it } from 'vitest';
import { definesTerm } from '../../../domain/ranking/defined.ts';
import { textNames } from '../../../domain/ranking/names.ts';
import { weightOfLength } from '../../../domain/ranking/link-lists.ts';

describe('a signed term', () => {
  it.each(['size ¶\n\n…\n\nMore of it.', 'size ¶\n\nbig ¶\n\n…\n\nMore.'])(
    'names nothing where its definition only goes on: %j',
    (text) => {
      expect(textNames(text)).not.toContain('=size');
      expect(definesTerm(text, '=size')).toBe(false);
    },
  );

  it('is the end of a line, and the whole name', () => {
    expect(definesTerm('big size ¶\n\n4', '=size')).toBe(false);
    expect(definesTerm('size ¶ 4\n\nsort ¶\n\n4', '=size')).toBe(false);
    expect(definesTerm('reel ¶\n\n4\n\nsize ¶', '=size')).toBe(true);
    expect(definesTerm('Ｓｉｚｅ ¶\n\n4', '=size')).toBe(true);
  });

  it('names nothing that stands behind its definition', () => {
    const below = 'size\n\nIs how long the tape of a reel is.';
    expect(textNames(below)).toContain('=size');
    expect(definesTerm(`big size ¶\n\nIt is 4.\n\n${below}`, '=size')).toBe(false);
    expect(definesTerm(`big size ¶\n\nmore size ¶\n\nIt is 4.\n\n${below}`, '=size')).toBe(false);
  });
});

const times = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n\n');

describe('weightOfLength', () => {
  it('is more for an index and for a table of contents', () => {
    expect(weightOfLength(times(20, (i) => `deadlock_timeout ${i}, Lock Management`))).toBeGreaterThan(1);
    expect(weightOfLength(times(20, (i) => `${i}.1. Creating a Database`))).toBeGreaterThan(1);
  });

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
});
