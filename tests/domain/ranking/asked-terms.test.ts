import { describe, expect, it } from 'vitest';
import {
  askedWords,
  mostAsked,
  termCounts,
  type TermsOf,
  wordsAskedFor,
} from '../../../domain/ranking/asked-terms.ts';

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
  it('asks for the terms that a word has in each language of the tenant, once', async () => {
    expect(await asked('katzen dogs', [])).toEqual({ katzen: 1, dog: 1 });
    expect(await asked('katzen dog')).toEqual({ katzen: 1, katz: 1, dog: 1 });
  });

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
  const most = (counts: Readonly<Record<string, number>>) => mostAsked(new Map(Object.entries(counts)));
  expect([most({ tape: 2, reel: 1, '=tape': 3 }), most({ 'a=': 2 }), most({ '=tape': 3 }), most({})]).toEqual(
    [2, 2, 1, 1],
  );
});

it('counts the words that are asked for, without names and stop words', () => {
  const word = (of: string, ...terms: readonly string[]) => ({ word: of, n: 1, terms });
  expect(wordsAskedFor([word('wings', 'wing', 'wings'), word('the'), word('=wings', '=wings')])).toBe(1);
});
