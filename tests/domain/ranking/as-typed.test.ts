import { describe, expect, it } from 'vitest';
import { hasWord, signedWords, withSigns } from '../../../domain/ranking/asked-terms.ts';

const scored = (...texts: readonly string[]) => texts.map((text) => ({ text, score: 0.5 }));

describe('words with a sign', () => {
  it.each([
    ['\\flat', ['\\flat']],
    ['What does @param do?', ['@param']],
    ['where is $PATH set, and -x', ['$PATH', '-x']],
    ['-x of git', ['-x']],
    ['--dry-run of git', ['--dry-run']],
  ])('are found in %j', (query, words) => expect(signedWords(query)).toEqual(words));

  it.each([
    'a flat note',
    'well-known',
    'me@example.com',
    'C:\\reels',
    '/usr/-x',
    '5 - 3',
    'a && b',
    'two -dimensional',
    '100%',
  ])('are not in %j', (query) => expect(signedWords(query)).toEqual([]));

  it('are four at most, each once', () =>
    expect(signedWords('@a @b @a @c @d @e')).toEqual(['@a', '@b', '@c', '@d']));

  it('stand in a text as they were typed, and not as the beginning of another', () => {
    expect(hasWord('Type \\flatten or \\flat.', '\\flat')).toBe(true);
    expect(hasWord('Type \\flatten, as flat says.', '\\flat')).toBe(false);
    expect(hasWord('ends in \\flat', '\\flat')).toBe(true);
  });
});

describe('hits with what was typed', () => {
  it('gain by it, each by its share of the words', () => {
    const hits = scored('@reel takes @tape', '@reel alone', 'a reel and a tape');
    expect(withSigns('@reel or @tape', hits)).toEqual([0.9, 0.7, 0.5]);
  });

  it('keep their scores where nothing was typed with a sign', () =>
    expect(withSigns('reel', scored('@reel', 'reel'))).toEqual([0.5, 0.5]));

  it('are looked for among the first 30', () => {
    const scores = withSigns('@reel', scored(...Array.from({ length: 31 }, () => '@reel')));
    expect([scores[29], scores[30]]).toEqual([0.9, 0.5]);
  });
});
