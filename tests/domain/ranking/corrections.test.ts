import { describe, expect, it } from 'vitest';
import {
  bestSuggestion,
  meantFor,
  nearestOf,
  respelled,
  spelledLines,
  unknownWords,
} from '../../../domain/ranking/spelling.ts';

const suggestion = (word: string, distance: number, term = word) => ({ word, term, distance });
const linesOf = (words: readonly (readonly [string, string?])[]) =>
  spelledLines(
    words.map(([word]) => ({ word, language: '' })),
    words.map(([, term]) => (term === undefined ? [] : [term])),
  );

describe('words for correcting', () => {
  it('are a line each, with their terms where these are others', () =>
    expect(
      linesOf([
        ['tapes', 'tape'],
        ['dump', 'dump'],
      ]),
    ).toBe('tapes tape\ndump'));

  it('are no stop words, and have four to 24 letters', () => {
    const [four, longest, longer] = ['abcd', 'a'.repeat(24), 'a'.repeat(25)];
    expect(linesOf([['they'], ['abc', 'abc'], [four, four], [longest, longest], [longer, longer]])).toBe(
      `abcd\n${longest}`,
    );
  });
});

describe('words of a query that nothing contains', () => {
  const asked = (word: string, ...terms: readonly string[]) => ({ word, terms, n: 1 });
  const isKnown = (term: string): boolean => term === 'tape';

  it('are those of which no term is known', () => {
    const words = [asked('tapes', 'tap', 'tape'), asked('reels', 'reel', 'reels'), asked('taper', 'taper')];
    expect(unknownWords(words, isKnown)).toEqual(words.slice(1));
  });

  it('are no stop words, and nothing that is not spelled with letters', () =>
    expect(unknownWords([asked('they'), asked('x2000', 'x2000'), asked('abc', 'abc')], isKnown)).toEqual([]));
});

describe('the nearest words', () => {
  it('come by their distance, then by the alphabet, each once', () => {
    const all = [
      suggestion('d', 2),
      suggestion('c', 1),
      suggestion('b', 2),
      suggestion('e', 1),
      suggestion('a', 2),
      suggestion('c', 1),
    ];
    expect(nearestOf(all).map(({ word }) => word)).toEqual(['c', 'e', 'a', 'b', 'd']);
  });

  it('are the same in whatever order they come, also where a word has two terms', () => {
    const all = [suggestion('b', 1, 'two'), suggestion('b', 1, 'one'), suggestion('a', 1)];
    for (const some of [all, all.toReversed()])
      expect(nearestOf(some).map(({ term }) => term)).toEqual(['a', 'one', 'two']);
  });

  it('are thirty at most', () => {
    const all = Array.from({ length: 40 }, (_, i) => suggestion(`word${i + 10}`, 1));
    expect(nearestOf(all.toReversed())).toEqual(all.slice(0, 30));
  });
});

describe('what a word may be meant for', () => {
  const near = [suggestion('color', 1), suggestion('colors', 2)];

  it('is what is near, unless it is a word', () => {
    expect(meantFor('colur', near, (word) => word === 'colour')).toEqual(near);
    expect(meantFor('column', near, (word) => word === 'column')).toEqual([]);
  });

  it('is the same word where others spell it otherwise', () =>
    expect(meantFor('colour', near, () => true)).toEqual(near.slice(0, 1)));
});

describe('the best suggestion', () => {
  it('is of what contents have: none where they have none', () => {
    expect(bestSuggestion('tapr', [suggestion('tape', 1)], () => 0)).toBeNull();
    const has = (term: string): number => (term === 'taper' ? 1 : 0);
    expect(bestSuggestion('tapr', [suggestion('tape', 1), suggestion('taper', 2)], has)?.word).toBe('taper');
  });

  it('is the first of the alphabet where nothing else decides', () => {
    const all = ['tapc', 'tapa', 'tapb'].map((word) => suggestion(word, 1));
    for (const some of [all, all.toReversed()])
      expect(bestSuggestion('tapr', some, () => 1)?.word).toBe('tapa');
  });
});

it('a run of letters that is several words stays as it is', () =>
  expect(
    respelled(
      '東京都 tabel',
      new Map([
        ['東京', 'x'],
        ['tabel', 'table'],
      ]),
    ),
  ).toBe('東京都 table'));
