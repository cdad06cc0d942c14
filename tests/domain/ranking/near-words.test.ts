import { describe, expect, it } from 'vitest';
import { bytesOfWords, nearWords, spelledWords } from '../../../domain/ranking/near-words.ts';

const near = (word: string, lines: string, terms: readonly string[] = [word]) =>
  nearWords({ word, terms }, spelledWords(lines));

describe('spelled words', () => {
  it('have what rules most of them out: length, letters, first and last, without accents', () => {
    const { starts, lengths, letters, ends } = spelledWords('abba\nécole ecol\nиc');
    const bits = (text: string) =>
      [...text].reduce((set, letter) => set | (1 << (letter.charCodeAt(0) & 31)), 0);
    const endsOf = (text: string) => text.charCodeAt(0) * 65_536 + text.charCodeAt(text.length - 1);
    expect([...starts]).toEqual([0, 5, 16]);
    expect([...lengths]).toEqual([4, 5, 2]);
    expect([...letters]).toEqual(['ab', 'ecol', 'иc'].map(bits));
    expect([...ends]).toEqual(['aa', 'ee', 'иc'].map(endsOf));
    expect([...spelledWords('a'.repeat(300)).lengths]).toEqual([255]);
  });

  it('may be none, which nothing is near to', () => {
    expect(spelledWords('').starts).toHaveLength(0);
    expect(near('tape', '')).toEqual([]);
  });

  it('take a byte for a character, and thirteen for each', () => {
    expect([bytesOfWords(spelledWords('')), bytesOfWords(spelledWords('tape\nreel'))]).toEqual([0, 9 + 26]);
  });
});

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

  it.each([
    ['vacuun', 'vacuum', 1],
    ['wacuum', 'vacuum', 1.5],
    ['cilendir', 'calendar', 2],
    ['елочка', 'ёлочка', 0],
    ['fables', 'tables', undefined],
    ['dables', 'tables', 1.5],
    ['dabls', 'tabls', undefined],
  ])('of %s: is it %s?', (word, other, distance) => expect(near(word, other)[0]?.distance).toBe(distance));
});
