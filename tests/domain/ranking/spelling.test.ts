import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, mistakes } from '../../../domain/ranking/mistakes.ts';
import { nearWords, spelledWords } from '../../../domain/ranking/near-words.ts';
import {
  bestSuggestion,
  nearestOf,
  respelled,
  meantFor,
  spelledLines,
  unknownWords,
} from '../../../domain/ranking/spelling.ts';
import { folded } from '../../../domain/shared/words.ts';
import { correctedLike } from '../../../domain/ranking/corrected-like.ts';

describe('spelling', () => {
  describe('editDistance', () => {
    it.each([
      ['vaccum', 'vacuum', 1],
      ['replicaton', 'replication', 1],
      ['dmup', 'dump', 1],
      ['abc', '', 3],
      ['xab', 'yba', 2],
    ])('of %s and %s is %i', (a, b, distance) => {
      expect(editDistance(a, b, 5)).toBe(distance);
      expect(editDistance(b, a, 5)).toBe(distance);
      expect(editDistance(a, b, distance - 1)).toBe(distance);
    });
  });

  describe('of words that are found under one term', () => {
    it.each([
      ['tabel', 'tabl\ntable tabl', 'table'],
      ['logicl', 'logic\nlogical logic', 'logical'],
      ['decorater', 'decorate decor\ndecorated decor\ndecorator decor', 'decorator'],
      ['colums', 'column\ncolumns column', 'columns'],
      ['signla', 'signal sign\nsignlast sign', 'signal'],
      ['fromt', 'formt form\nfromts form', 'formt'],
    ])('the likelier is meant by %s', (typed, lines, word) => {
      const found = nearestOf(nearWords({ word: typed, terms: [typed] }, spelledWords(lines)));
      expect(bestSuggestion(typed, found, () => 7)?.word).toBe(word);
    });
  });

  it('words are corrected where they stand, whatever else is there', () =>
    expect(respelled('Call "pg_dmup", DMUP or dmup2!', new Map([['dmup', 'dump']]))).toBe(
      'Call "pg_dump", dump or dmup2!',
    ));

  it('words are near as far as they are when each is looked at', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...'abcéxyz', 'ж', 'ế', 'Σ'),
      minLength: 3,
      maxLength: 10,
    });
    const reached = { near: 0 };
    fc.assert(
      fc.property(letters, fc.array(letters, { maxLength: 20 }), fc.nat({ max: 9 }), (word, others, at) => {
        const mistyped = `${word.slice(0, at)}${word.slice(at + 1)}`;
        const replaced = `${word.slice(0, at)}p${word.slice(at + 1, at + 2)}q${word.slice(at + 3)}`;
        const vocabulary = [...new Set([...others, mistyped, `${mistyped}x`, replaced])].filter(
          (one) => one !== '',
        );
        const found = nearWords({ word, terms: [word] }, spelledWords(vocabulary.join('\n')));
        const plain = folded(word);
        const expected = vocabulary
          .map((one) => ({ word: one, term: one, distance: distanceOf(plain, word, one) }))
          .filter(({ distance }) => distance < Infinity);
        expect(found).toEqual(expected);
        reached.near += found.length;
      }),
    );
    expect(reached.near).toBeGreaterThan(20);
  });

  /** By the word without its accents, and behind it by the word as it is. */
  const distanceOf = (plain: string, word: string, other: string): number =>
    Math.min(mistakes(plain, folded(other)), word === plain ? Infinity : mistakes(word, folded(other)) + 0.5);
});

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
  it('are the same in whatever order they come, also where a word has two terms', () => {
    const all = [suggestion('b', 1, 'two'), suggestion('b', 1, 'one'), suggestion('a', 1)];
    for (const some of [all, all.toReversed()])
      expect(nearestOf(some).map(({ term }) => term)).toEqual(['a', 'one', 'two']);
  });
});

describe('what a word may be meant for', () => {
  const near = [suggestion('color', 1), suggestion('colors', 2)];

  it('is the same word where others spell it otherwise', () =>
    expect(meantFor('colour', near, () => true)).toEqual(near.slice(0, 1)));
});

describe('the best suggestion', () => {
  it('is of what contents have: none where they have none', () => {
    expect(bestSuggestion('tapr', [suggestion('tape', 1)], () => 0)).toBeNull();
    const has = (term: string): number => (term === 'taper' ? 1 : 0);
    expect(bestSuggestion('tapr', [suggestion('tape', 1), suggestion('taper', 2)], has)?.word).toBe('taper');
  });
});

it.each([
  ['What is a tabelspace?', 'What is a tabelspace?', 'What is a tablespace?', 'What is a tablespace?'],
  ['And vaccum?', 'And vaccum? What of tabels?', 'And vacuum? What of tables?', 'And vacuum?'],
  ['And VACCUM full?', 'And VACCUM full?', 'And vacuum full?', 'And vacuum full?'],
  [
    'Move tabels from PowerDNS?',
    'Move tabels from PowerDNS?',
    'Move tables from powers?',
    'Move tables from PowerDNS?',
  ],
  ['AND vaccum?', 'And vaccum?', 'And vacuum?', 'AND vacuum?'],
])('%s, of %s, which was searched as %s', (text, query, corrected, expected) =>
  expect(correctedLike(text, query, corrected)).toBe(expected),
);

describe('near words', () => {
  const near = (word: string, lines: string, terms: readonly string[] = [word]) =>
    nearWords({ word, terms }, spelledWords(lines));

  describe('near words', () => {
    it('come with the term they are found under, and how far they are', () => {
      expect(near('strasze', 'hat\nstraße strass\ntape')).toEqual([
        { word: 'straße', term: 'strass', distance: 1 },
      ]);
      expect(near('tapes', 'hat\ntape')).toEqual([{ word: 'tape', term: 'tape', distance: 1 }]);
    });

    it('are half a mistake further where only the stem is near, and in the order of their lines', () => {
      const found = near('vaccuming', 'vacuum\nvaccumings', ['vaccum']);
      expect(found.map(({ word, distance }) => [word, distance])).toEqual([
        ['vacuum', 1.5],
        ['vaccumings', 1],
      ]);
    });
  });
});

describe('how far a typed word is from one that may be meant', () => {
  it.each([
    ['hat', 'hats', Infinity],
    ['hats', 'hat', 1],
    ['dump', 'dump', 0],
    ['colendr', 'calendar', Infinity],
    ['cilendir', 'calendar', 2],
  ])('%s is so far from %s: %d; two mistakes are allowed from eight letters on', (typed, word, distance) =>
    expect(mistakes(typed, word)).toBe(distance),
  );

  it.each(['facuum', 'acuum', 'avcuum', 'xvacuum'])(
    'the first letter of %s is wrong, which counts half a mistake more',
    (typed) => expect(mistakes(typed, 'vacuum')).toBe(typed.length < 6 ? Infinity : 1.5),
  );

  it.each([
    ['enviorment', 'environment', 2],
    ['begginers', 'beginners', 2],
    ['synchronise', 'synchronized', 2],
    ['nitrogen', 'nitrokey', Infinity],
    ['custmers', 'clusters', Infinity],
  ])('of two mistakes both are likely ones where %s is meant for %s: %d', (typed, word, distance) =>
    expect(mistakes(typed, word)).toBe(distance),
  );

  it.each(['facum', 'fxcuum', 'facuuum'])('nothing else may be wrong then: %s', (typed) =>
    expect(mistakes(typed, 'vacuum')).toBe(Infinity),
  );
});
