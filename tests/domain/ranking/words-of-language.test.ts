import { describe, expect, it } from 'vitest';
import { isSpelledElsewhere, isWordOrForm } from '../../../domain/ranking/words-of-language.ts';

describe('a word of a language', () => {
  const isWord = (word: string): boolean => ['sender', 'distort', 'tune', 'rune', 'tens'].includes(word);

  it.each(['sender', 'senders', 'distorting', 'distorted', 'distorter', 'distorters', 'tune'])(
    '%s is one, as it stands or by its ending',
    (word) => expect(isWordOrForm(word, isWord)).toBe(true),
  );

  it.each(['runing', 'tunes', 'distortes', 'senderz', 'distortible', 'tensing'])(
    '%s is none that is known',
    (word) => expect(isWordOrForm(word, isWord)).toBe(false),
  );
});

describe('spelling in Britain and in America', () => {
  it.each([
    ['colour', 'color'],
    ['licence', 'license'],
    ['organisation', 'organization'],
    ['synchronised', 'synchronized'],
    ['analyse', 'analyze'],
    ['centre', 'center'],
    ['metres', 'meters'],
    ['catalogue', 'catalog'],
    ['cancelled', 'canceled'],
  ])('makes %s and %s one word', (british, american) => {
    expect(isSpelledElsewhere(british, american)).toBe(true);
    expect(isSpelledElsewhere(american, british)).toBe(true);
  });

  it.each([
    ['facet', 'fact'],
    ['loose', 'lose'],
    ['strangers', 'strange'],
    ['cellar', 'seller'],
    ['stress', 'street'],
  ])('leaves %s and %s two', (a, b) => expect(isSpelledElsewhere(a, b)).toBe(false));
});
