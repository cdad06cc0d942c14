import { describe, expect, it } from 'vitest';
import { type Titled, TITLED_OF, withTitles } from '../../../domain/ranking/titled.ts';

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

  it.each(['Reels', 'More reels of 2004-08-29', 'The manual: history'])(
    'is none whose title says less or more: %j',
    (title) =>
      expect(withTitles('reels of 2004-08-29', [hit('a', 'History', 1), hit('b', title, 0.9)])).toEqual([
        1, 0.9,
      ]),
  );

  it('is none where the query has a sign that the title lacks', () => {
    expect(withTitles('\\reel', [hit('a', 'Reel', 0.5)])).toEqual([0.5]);
    expect(withTitles('\\reel', [hit('a', '\\reel', 0.5)])).toEqual([0.9]);
  });

  it('has one hit raised, the first, so that others keep a place', () => {
    const scores = withTitles('reels', [hit('a', 'x', 1), hit('b', 'Reels', 0.9), hit('b', 'Reels', 0.8)]);
    expect(scores).toEqual([1, 0.9 + 0.4, 0.8]);
  });

  it('may be one of several, in the order that they had', () => {
    const [, b, c] = withTitles('reels', [hit('a', 'x', 1), hit('b', 'Reels', 0.9), hit('c', 'reels', 0.8)]);
    expect(b).toBeGreaterThan(c!);
    expect(c).toBeGreaterThan(1);
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

  it('comes before all whose address has its words, however many are between', () => {
    const urls = ['reel/tape/old', 'reel/tape', 'reel'];
    const scores = withTitles(
      'reels',
      urls.map((url, i) => hit(url, 'Reels', 0.9 - i / 10, url)),
    );
    expect(scores.map((score) => scores.toSorted((a, b) => b - a).indexOf(score))).toEqual([2, 1, 0]);
  });

  it('is looked for among the first hits, and where the query has words', () => {
    const hits = [...Array.from({ length: TITLED_OF }, () => hit('a', 'x', 1)), hit('b', 'Reels', 1)];
    expect(new Set(withTitles('reels', hits))).toEqual(new Set([1]));
    expect(withTitles('reels', hits.slice(1)).at(-1)).toBe(1.4);
    expect(withTitles('!', [hit('a', '?', 0.5)])).toEqual([0.5]);
  });
});
