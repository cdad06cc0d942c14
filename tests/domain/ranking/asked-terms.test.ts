import { describe, expect, it } from 'vitest';
import {
  askedWords,
  maxAsked,
  termCounts,
  type TermsOf,
  wordsAskedFor,
  asPhrase,
  parseQuery,
  satisfies,
} from '../../../domain/ranking/asked-terms.ts';
import { stopPhrases, withStopTerms } from '../../../domain/ranking/stop-phrases.ts';
import { isSpelledElsewhere, isWordOrForm } from '../../../domain/ranking/words-of-language.ts';

/** Stems by cutting `s`, in German `en`; some stop words. */
const STOPS: Readonly<Record<string, string>> = { '': 'the what is in', de: 'die das in was' };
const termsOf: TermsOf = async (words) =>
  words.map(({ word, language }) =>
    STOPS[language]?.split(' ').includes(word) === true
      ? []
      : [word.replace(language === 'de' ? /en$/ : /s$/, '')],
  );
const asked = async (query: string, languages: readonly string[] = ['de']) =>
  Object.fromEntries(
    termCounts(await askedWords(new Map(query.split(' ').map((word) => [word, 1])), languages, termsOf)),
  );

describe('askedWords', () => {
  it('leaves the stop words of the language out that the query has most of', async () => {
    expect(await asked('what is the dog')).toEqual({ dog: 1 });
    expect(await asked('was die katzen')).toEqual({ katzen: 1, katz: 1 });
    expect(await asked('what is the die')).toEqual({ die: 1 });
  });

  it('asks for stop words where nothing else is asked for, and as words of another language', async () => {
    expect(await asked('what is', [])).toEqual({ '=~what': 1, '=~is': 1 });
    expect(await asked('die')).toEqual({ die: 1, '=~die': 1 });
    expect(await asked('what is =what')).toEqual({ what: 1, is: 1, '=what': 1, '=~what': 1, '=~is': 1 });
    expect(await asked('the über')).toEqual({ über: 1, ueber: 1 });
    expect(await asked('what =what --what', [])).toEqual({ '=what': 1, '--what': 1 });
  });

  it('reads two letters for a dotted one in German, and the other way round', async () => {
    expect(await asked('mueller')).toEqual({ mueller: 1, müller: 1 });
    expect(await asked('aerzte koeln')).toEqual({ aerzte: 1, ärzte: 1, koeln: 1, köln: 1 });
    expect(await asked('neue')).toEqual({ neue: 1 });
    expect(await asked('müller')).toEqual({ müller: 1, mueller: 1 });
    expect(await asked('mueller', ['fr'])).toEqual({ mueller: 1 });
  });
});

it('the word that a query repeats most is asked for so often, names aside, and once at least', () => {
  const most = (counts: Readonly<Record<string, number>>) => maxAsked(new Map(Object.entries(counts)));
  expect([most({ tape: 2, reel: 1, '=tape': 3 }), most({ 'a=': 2 }), most({ '=tape': 3 }), most({})]).toEqual(
    [2, 2, 1, 1],
  );
});

it('counts the words that are asked for, without names and stop words', () => {
  const word = (of: string, ...terms: readonly string[]) => ({ word: of, n: 1, terms });
  expect(wordsAskedFor([word('wings', 'wing', 'wings'), word('the'), word('=wings', '=wings')])).toBe(1);
});

describe('parseQuery', () => {
  it.each(['an "open quote', 'well-known e-mail', 'git commit --dry-run', '-car', '""'])(
    'takes %j as it is',
    (query) => expect(parseQuery(query)).toEqual({ ranked: query, phrases: [], excluded: [] }),
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
    ['fox -Brown', 'A brown fox.', false],
    ['fox -"red fox"', 'A fox that is red.', true],
    ['"brown fox" -red', 'A red, brown fox.', false],
    ['fox', 'A tape.', true],
  ])('tells of %j and %j: %j', (query, text, expected) =>
    expect(satisfies(parseQuery(query))(['Title', text])).toBe(expected),
  );

  it('joins no words of a title with those of a text', () => {
    expect(satisfies(parseQuery('"brown fox"'))(['Brown', 'fox'])).toBe(false);
  });
});

describe('stopPhrases', () => {
  it('are one for each three stop words in a row, the same in a text and in a query', () => {
    const phrases = stopPhrases('to be or not to be'.split(' '));
    expect(phrases.size).toBe(4);
    const inText = stopPhrases('he said to be or not to be that is it'.split(' '));
    expect([...phrases].every((term) => inText.has(term))).toBe(true);
    expect(stopPhrases('one of the birds of a feather'.split(' ')).size).toBe(0);
  });

  it('stay the same from one release to the next, as an index has stored them', () =>
    expect([...stopPhrases('to be or not'.split(' '))]).toEqual(['=~730', '=~950']));
});

it('a stop word is indexed by a term of its own, which no phrase and no name has', () => {
  const words = ['wo', 'tapes'].map((word) => ({ word, language: 'de' }));
  expect(withStopTerms(words, [[], ['tape']])).toEqual([['=~wo'], ['tape']]);
});

describe('a word of a language', () => {
  const isWord = (word: string): boolean => ['sender', 'distort', 'tune', 'rune', 'tens'].includes(word);

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
    ['centre', 'center'],
  ])('makes %s and %s one word', (british, american) => {
    expect(isSpelledElsewhere(british, american)).toBe(true);
    expect(isSpelledElsewhere(american, british)).toBe(true);
  });
});
