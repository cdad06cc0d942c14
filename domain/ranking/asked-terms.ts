import { countWords, wordsOf } from '../shared/words.ts';
import { compoundsOf } from './identifiers.ts';
import { MARK, queryNames } from './names.ts';
import { saysNothing, stopPhrases, stopTerm } from './stop-phrases.ts';
import type { WordOfLanguage, WordTerms } from './word-terms.ts';

export type TermsOf = (words: readonly WordOfLanguage[]) => Promise<readonly WordTerms[]>;

/** The terms that one word of a query is searched by, and how often the query has it. */
export interface AskedWord {
  readonly word: string;
  readonly n: number;
  readonly terms: readonly string[];
}

/**
 * Nobody says in which language a query is: it is searched by the terms that its words have in each language of the
 * tenant. Words that are stop words in the language that most of them speak for are left out in the others too, as there
 * they would be rare. Of nothing but stop words they are what is asked for, as texts have them.
 *
 * @param words of `queryWords`
 * @param languages of the tenant beside the usual one
 */
export const askedWords = async (
  words: ReadonlyMap<string, number>,
  languages: readonly string[],
  termsOf: TermsOf,
): Promise<readonly AskedWord[]> => {
  const byLanguage = await Promise.all(
    ['', ...languages].map((language) => termsIn(language, [...words.keys()], termsOf)),
  );
  const stops = byLanguage.map((terms) => [...words.keys()].filter((word) => terms.get(word)?.length === 0));
  const most = Math.max(...stops.map(({ length }) => length));
  const spoken = new Set(stops.filter(({ length }) => length === most).flat());
  const asked = [...words].map(([word, n]) => {
    const terms = [...new Set(byLanguage.flatMap((of) => of.get(word) ?? []))];
    return { word, n, terms };
  });
  // A word without terms is a stop word in every language, so in that one too.
  const kept = asked.filter(({ word }) => !spoken.has(word));
  if (kept.some(({ word }) => PLAIN.test(word))) return kept;
  // An identifier tells more than the stop words that it is made of.
  const isOfStopWords = kept.every(({ word }) => word.startsWith(MARK));
  return isOfStopWords ? asked.map(withStopTerm) : asked;
};

/** Not a name or an identifier, whose words are asked for one by one too. */
const PLAIN = /^[\p{L}\p{M}\p{N}]/u;

const withStopTerm = (one: AskedWord): AskedWord =>
  PLAIN.test(one.word) ? { ...one, terms: [...one.terms, stopTerm(one.word)] } : one;

const termsIn = async (
  language: string,
  words: readonly string[],
  termsOf: TermsOf,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const forms = words.flatMap((word) =>
    [word, ...otherSpellings(word, language)].map((form) => ({ word, form })),
  );
  const terms = await termsOf(forms.map(({ form }) => ({ word: form, language })));
  const found = new Map<string, string[]>();
  for (const [i, { word }] of forms.entries())
    found.set(word, [...(found.get(word) ?? []), ...(terms[i] ?? [])]);
  return found;
};

/** Where two letters stand for one with dots; not in `neue` or `quer`. */
const TWO_FOR_ONE = /(?<![aeiouäöüq])([aou])e/gu;

/** Germans write `Mueller` where a keyboard has no `ü`, and read it as the same. */
const otherSpellings = (word: string, language: string): readonly string[] => {
  if (language !== 'de') return [];
  const dotted = word.replaceAll(TWO_FOR_ONE, (_, letter: string) => DOTTED[letter] ?? letter);
  const plain = word.replaceAll(/[äöü]/gu, (letter) => `${letter.normalize('NFD')[0]}e`);
  return [dotted, plain].filter((other) => other !== word);
};
const DOTTED: Readonly<Record<string, string>> = { a: 'ä', o: 'ö', u: 'ü' };

/** How often each term is asked for. */
export const termCounts = (asked: readonly Omit<AskedWord, 'word'>[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { n, terms } of asked) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + n);
  return counts;
};

/** How many words are asked for that have terms, names aside. */
export const wordsAskedFor = (asked: readonly AskedWord[]): number =>
  asked.filter(({ word, terms }) => terms.length > 0 && !word.startsWith(MARK)).length;

/** How often the term is asked for that a query repeats most, names aside. */
export const maxAsked = (counts: ReadonlyMap<string, number>): number =>
  Math.max(1, ...[...counts].filter(([term]) => !term.startsWith(MARK)).map(([, n]) => n));

/**
 * What a query asks an index for, and how often it says it: its words, its identifiers, and what may be names, these by
 * how much of the query they are. Of stop words alone, their phrases too.
 */
export const queryWords = (query: string): ReadonlyMap<string, number> => {
  const words = wordsOf(query);
  const phrases = saysNothing(words) ? stopPhrases(words) : [];
  return new Map([...countWords([...words, ...compoundsOf(query), ...phrases]), ...queryNames(query)]);
};

/** What somebody typed, taken apart. Words are those of `wordsOf`. */
export interface TypedQuery {
  /** What is ranked by: all but what is excluded, without the quotes. */
  readonly ranked: string;
  /** What must stand there, word for word and in this order. */
  readonly phrases: readonly (readonly string[])[];
  /** What must not, as phrases; a single word is a phrase of one. */
  readonly excluded: readonly (readonly string[])[];
}

/** What opens stands at the beginning of a word: the inches of `5" and 6"` are no quotes. */
const MARKED = /(?<![^\s(])(?<minus>-?)["“„](?<phrase>[^"“”„]*)["”“]|(?<!\S)-(?<word>[\p{L}\p{N}][^\s"]+)/gu;

/**
 * Reads `"quoted phrases"`, `-word` and `-"quoted phrase"`. Whatever is not closed, and a minus before a single letter, as
 * in the option `-n`, is plain text. A query that only excludes is plain text as well: nothing would be left to look for.
 */
export const parseQuery = (query: string): TypedQuery => {
  const phrases: (readonly string[])[] = [];
  const excluded: (readonly string[])[] = [];
  const ranked = query.replaceAll(MARKED, (all, ...groups) => {
    const { minus, phrase, word } = groups.at(-1) as Record<string, string | undefined>;
    const words = wordsOf(phrase ?? word ?? '');
    if (words.length === 0) return all;
    const excludes = phrase === undefined || minus === '-';
    (excludes ? excluded : phrases).push(words);
    return excludes ? ' ' : ` ${phrase} `;
  });
  return wordsOf(ranked).length > 0
    ? { ranked, phrases, excluded }
    : { ranked: query, phrases, excluded: [] };
};

/** Of stop words alone the query is a phrase: apart they say nothing. */
export const asPhrase = (typed: TypedQuery): TypedQuery => {
  const words = wordsOf(typed.ranked);
  return saysNothing(words) && typed.phrases.length === 0 ? { ...typed, phrases: [words] } : typed;
};

/** Whether texts, each by itself, hold every phrase and nothing that is excluded. */
export const satisfies = ({ phrases, excluded }: TypedQuery): ((texts: readonly string[]) => boolean) => {
  if (phrases.length + excluded.length === 0) return () => true;
  const [wanted, unwanted] = [phrases.map(finder), excluded.map(finder)];
  return (texts) => {
    const read = texts.map(toWords);
    return wanted.every((finds) => read.some(finds)) && !unwanted.some((finds) => read.some(finds));
  };
};

/** The words of a text, in their order and as a set. */
interface Words {
  readonly line: string;
  readonly all: ReadonlySet<string>;
}

const toWords = (text: string): Words => {
  const words = wordsOf(text);
  return { line: ` ${words.join(' ')} `, all: new Set(words) };
};

/** Where a word of the phrase is missing, the text is not searched: a query may exclude a thousand. */
const finder = (phrase: readonly string[]): ((words: Words) => boolean) => {
  const line = ` ${phrase.join(' ')} `;
  return ({ all, line: text }) =>
    phrase.every((word) => all.has(word)) && (phrase.length === 1 || text.includes(line));
};
