import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, mistakes } from '../../../domain/ranking/mistakes.ts';
import { nearWords, spelledWords } from '../../../domain/ranking/near-words.ts';
import { bestSuggestion, nearestOf, respelled, spelledLines } from '../../../domain/ranking/spelling.ts';
import { folded } from '../../../domain/shared/words.ts';

describe('editDistance', () => {
  it.each([
    ['vaccum', 'vacuum', 1],
    ['replicaton', 'replication', 1],
    ['dmup', 'dump', 1],
    ['kitten', 'sitting', 3],
    ['abc', '', 3],
    ['ab', 'ca', 2],
    ['ab', 'bc', 2],
    ['xab', 'yba', 2],
    ['ab', 'ba', 1],
  ])('of %s and %s is %i', (a, b, distance) => {
    expect(editDistance(a, b, 5)).toBe(distance);
    expect(editDistance(b, a, 5)).toBe(distance);
    expect(editDistance(a, b, distance - 1)).toBe(distance);
  });

  it('is at most the number of letters put in', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, letters, (a, b, more) => {
        expect(editDistance(a + b, a + more + b, 8)).toBeLessThanOrEqual(more.length);
        expect(editDistance(a, a, 0)).toBe(0);
      }),
    );
  });
});

const VOCABULARY = 'vacuum\nstraße strass\nreplication replic\ndump\ndumb\nhat\nalone\nécole ecol';
const near = (word: string, terms: readonly string[] = [word]) =>
  nearestOf(nearWords({ word, terms }, spelledWords(VOCABULARY))).map((found) => found.word);

describe('nearWords', () => {
  it.each([
    ['dmup', ['dump']],
    ['dumpp', ['dump']],
    ['dumn', []],
    ['udmp', []],
    ['fvacuum', ['vacuum']],
    ['fvaccum', []],
    ['replicatonn', ['replication']],
    ['anyone', []],
    ['aplone', ['alone']],
    ['eplication', ['replication']],
    ['erplication', ['replication']],
    ['ecolle', ['école']],
    ['hut', []],
    ['strasze', ['straße']],
  ])('of %s are %j', (word, words) => expect(near(word)).toEqual(words));

  it('are found by the stem of a word too, behind those that are near as they are', () =>
    expect(near('vaccuming', ['vaccum'])).toEqual(['vacuum']));
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

  it('one that more contents have goes before it', () => {
    const found = nearestOf(
      nearWords({ word: 'logicl', terms: ['logicl'] }, spelledWords('logic\nlogical logical')),
    );
    expect(bestSuggestion('logicl', found, (term) => (term === 'logic' ? 8 : 7))?.word).toBe('logic');
  });
});

it('words are corrected where they stand, whatever else is there', () =>
  expect(respelled('Call "pg_dmup", DMUP or dmup2!', new Map([['dmup', 'dump']]))).toBe(
    'Call "pg_dump", dump or dmup2!',
  ));

it('only words of letters are for correcting, each once', () => {
  const words = ['replication', 'wal2json', 'of', '東京', 'the', 'replication'].map((word) => ({
    word,
    language: '',
  }));
  const terms = [['replic'], ['wal2json'], ['of'], ['東京'], [], ['replic']];
  expect(spelledLines(words, terms)).toBe('replication replic');
});

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
