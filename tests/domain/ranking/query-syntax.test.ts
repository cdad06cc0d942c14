import { describe, expect, it } from 'vitest';
import { asPhrase, parseQuery, satisfies } from '../../../domain/ranking/asked-terms.ts';

const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

describe('parseQuery', () => {
  it.each([
    ['plain words', 'plain words', [], []],
    ['a "Quick Brown" fox', 'a Quick Brown fox', [['quick', 'brown']], []],
    ['jaguar -car', 'jaguar', [], [['car']]],
    ['jaguar -"the car" “big cat”', 'jaguar big cat', [['big', 'cat']], [['the', 'car']]],
    ['"max_wal_size"', 'max_wal_size', [['max', 'wal', 'size']], []],
  ])('takes %j apart', (query, ranked, phrases, excluded) => {
    const typed = parseQuery(query);
    expect({ ...typed, ranked: words(typed.ranked) }).toEqual({ ranked, phrases, excluded });
  });

  it.each([
    'an "open quote',
    'well-known e-mail',
    'git commit --dry-run',
    'git add -n',
    '5" and 6" wide',
    '-car',
    '""',
    '- "',
  ])('takes %j as it is', (query) =>
    expect(parseQuery(query)).toEqual({ ranked: query, phrases: [], excluded: [] }),
  );
});

describe('asPhrase', () => {
  it('holds stop words together where there are no others, and no quotes', () => {
    expect(asPhrase(parseQuery('To be or not')).phrases).toEqual([['to', 'be', 'or', 'not']]);
    for (const query of ['to be a falcon', '"to be" or not'])
      expect(asPhrase(parseQuery(query))).toEqual(parseQuery(query));
  });
});

describe('satisfies', () => {
  it.each([
    ['"brown fox"', 'A quick brown  fox.', true],
    ['"brown fox"', 'A fox, brown.', false],
    ['"brown fox"', 'A brown foxglove.', false],
    ['"to be or not to be"', 'To be, or not to be?', true],
    ['fox -Brown', 'A brown fox.', false],
    ['fox -brown', 'A brownish fox.', true],
    ['fox -"red fox"', 'A fox that is red.', true],
    ['fox -"red red"', 'A red fox.', true],
    ['"brown fox" -red', 'A red, brown fox.', false],
    ['"brown fox" -red', 'A fox.', false],
    ['fox', 'A tape.', true],
  ])('tells of %j and %j: %j', (query, text, expected) =>
    expect(satisfies(parseQuery(query))(['Title', text])).toBe(expected),
  );

  it('joins no words of a title with those of a text', () => {
    expect(satisfies(parseQuery('"brown fox"'))(['Brown', 'fox'])).toBe(false);
  });
});
