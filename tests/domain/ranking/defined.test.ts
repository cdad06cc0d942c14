import { describe, expect, it } from 'vitest';
import { type Definable, withDefinitions, definesTerm } from '../../../domain/ranking/defined.ts';
import { textNames } from '../../../domain/ranking/names.ts';
import { weightOfLength } from '../../../domain/ranking/link-lists.ts';
import { type Titled, TITLED_OF, withTitles } from '../../../domain/ranking/titled.ts';

const PROSE = 'Sets how much of it there may be before something else is done.';
const defining = (name: string, score: number): Definable => ({ text: `${name}\n\n${PROSE}`, score });
const other = (score: number): Definable => ({ text: `The unit of a tape. ${PROSE}`, score });
const raisedBy = (query: string, ...hits: readonly Definable[]): readonly number[] =>
  withDefinitions(query, hits, 0.2).map((place, i) => Number((place - hits[i]!.score).toFixed(3)));

describe('a hit that defines what the query names', () => {
  it.each([
    ['What unit does TAPETIME have?', 'TAPETIME'],
    ['Tell me the unit of TAPETIME.', 'TAPETIME'],
    ['default of tape_size', 'PRAGMA tape_size'],
    ['what does tapes.Reel return', 'class tapes.Reel(size)'],
    ['what does bigTape return', 'bigTape'],
  ])('comes before one that has the other words: %j, %j', (query, name) =>
    expect(raisedBy(query, other(0.9), defining(name, 0.8))).toEqual([0, 0.2]),
  );

  it.each([
    ['a first word with a capital', 'Tapes of which unit', 'Tapes'],
    ['names alone', 'TAPETIME', 'TAPETIME'],
    ['words of which most have capitals', 'How Does Tapetime Work', 'Tapetime'],
    ['one that is written otherwise', 'What unit does TAPETIME have?', 'Tapetime'],
    ['one of more words', 'What unit does TAPETIME have?', 'TAPETIME of reels'],
    ['a part of a word', 'What unit does TAPETIME have?', 'TAPETIMES'],
  ])('is none for %s', (_, query, name) =>
    expect(raisedBy(query, other(0.9), defining(name, 0.8))).toEqual([0, 0]),
  );

  it('counts nothing where the weight is 0', () =>
    expect(withDefinitions('unit of TAPETIME', [defining('TAPETIME', 0.5)], 0)).toEqual([0.5]));

  it('begins within 40 characters of its line, and is looked for in eight lines', () => {
    const behind = (marks: number) => defining(`${'#'.repeat(marks)}TAPETIME`, 0.5);
    const query = 'unit of TAPETIME';
    expect([40, 41].map((marks) => raisedBy(query, behind(marks)))).toEqual([[0.2], [0]]);
    const line = `TAPETIME of them.\n\n${PROSE.repeat(20)}\n\n`;
    const after = (lines: number) => ({ text: `${line.repeat(lines)}TAPETIME\n\n${PROSE}`, score: 0.5 });
    expect([7, 8].map((lines) => raisedBy(query, after(lines)))).toEqual([[0.2], [0]]);
  });

  it('counts by how much it defines of what is named', () => {
    const both = { text: `TAPETIME\n\n${PROSE}\n\nreel_size\n\n${PROSE}`, score: 0.1 };
    const query = 'which unit has TAPETIME with reel_size';
    expect(raisedBy(query, defining('TAPETIME', 0.2), both)).toEqual([0.1, 0.2]);
  });

  it('takes no longer for a query of many signs', () => {
    for (const sign of ['.', 'A', 'A.', '-', 'Aa ', '_']) {
      const query = `unit of ${sign.repeat(4_000)}`;
      expect(withDefinitions(query, [defining('A', 0.5)], 0.2)).toHaveLength(1);
    }
  });
});

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

describe('a query that says nothing but a name', () => {
  const hits = ['recursion of tapes', 'recursion ¶\n\nHow often.', 'recursion ¶\n\n…\n\nIt goes on.'];
  const raisedAmong = (query: string, texts: readonly string[]): readonly number[] =>
    withDefinitions(
      query,
      texts.map((text) => ({ text, score: 0.5 })),
      0.2,
    ).map((score) => score - 0.5);

  it('puts forward what has it as a signed term, where five hits have it at most', () => {
    expect(raisedAmong('recursion', hits)).toEqual([0, expect.closeTo(0.2), 0]);
    expect(raisedAmong('What does recursion do?', hits)).toEqual([0, expect.closeTo(0.2), 0]);
    expect(raisedAmong('recursion depth', hits)).toEqual([0, 0, 0]);
    expect(raisedAmong('recursion', Array<string>(6).fill(hits[1]!))).toEqual(Array(6).fill(0));
  });

  it('puts forward what has it with the capitals that were typed, where one does', () => {
    const written = ['LOCAL - yes or no ¶\n\nWhere.', 'local ¶\n\nHow.'];
    expect(raisedAmong('LOCAL', written)).toEqual([expect.closeTo(0.2), 0]);
    expect(raisedAmong('local', written)).toEqual([0, expect.closeTo(0.2)]);
    expect(raisedAmong('Local', written)).toEqual([expect.closeTo(0.2), expect.closeTo(0.2)]);
    expect(raisedAmong('LOCAL', Array<string>(6).fill(written[1]!).concat(written[0]!)).at(-1)).toBeCloseTo(
      0.2,
    );
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

const hit = (page: string, title: string, score: number, url = ''): Titled => ({ page, title, url, score });
const firstOf = (query: string, hits: readonly Titled[]): string => {
  const scores = withTitles(query, hits);
  return hits[scores.indexOf(Math.max(...scores))]!.page;
};

describe('a page that is called like the query', () => {
  it.each([
    'Reels of 2004-08-29',
    '3.1. Reels of 2004-08-29',
    'Reels of 2004-08-29 — The manual 3.1',
    'Reels of 2004-08-29 (The manual (version 3))',
    'reels OF 2004 08 29',
  ])('comes before one that says more of it: %j', (title) =>
    expect(firstOf('reels of 2004-08-29', [hit('a', 'History', 1), hit('b', title, 0.65)])).toBe('b'),
  );

  it('has one hit raised, the first, so that others keep a place', () => {
    const scores = withTitles('reels', [hit('a', 'x', 1), hit('b', 'Reels', 0.9), hit('b', 'Reels', 0.8)]);
    expect(scores).toEqual([1, 0.9 + 0.4, 0.8]);
  });

  it.each([
    ['https://a.example/ecpg-sql-reel.html', 'https://a.example/sql-reel.html', 'c'],
    ['https://a.example/reel/examples', 'https://a.example/reel', 'c'],
    ['https://a.example/spool/of/tape', 'https://a.example/reel', 'b'],
    ['https://a.example/reel', 'https://a.example/reel', 'b'],
    ['https://a.example/reel', '', 'b'],
  ])('comes before one that is called alike and has more in its address: %s, %s', (b, c, first) => {
    const hits = [hit('a', 'x', 1), hit('b', 'Reels', 0.9, b), hit('c', 'reels', 0.7, c)];
    expect(firstOf('reels', hits)).toBe(first);
  });

  it('is looked for among the first hits, and where the query has words', () => {
    const hits = [...Array.from({ length: TITLED_OF }, () => hit('a', 'x', 1)), hit('b', 'Reels', 1)];
    expect(new Set(withTitles('reels', hits))).toEqual(new Set([1]));
    expect(withTitles('reels', hits.slice(1)).at(-1)).toBe(1.4);
    expect(withTitles('!', [hit('a', '?', 0.5)])).toEqual([0.5]);
  });
});
