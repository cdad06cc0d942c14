import { mayHaveWord, wordsOf } from '../shared/words.ts';
import { hasWord, signedWords } from './asked-terms.ts';
import { titleParts } from './names.ts';

/** Hits among which pages are looked for that are called like the query: the first so many. */
export const TITLED_OF = 30;
/** What it counts beside a score that the page is called like the query. */
const WEIGHT = 0.4;
/** What puts a page before one that is called alike. */
const BEFORE = 0.001;

/** A hit, or what is asked of it here. */
export interface Titled {
  readonly page: string;
  readonly title: string;
  /** Of the page; empty: it has none. */
  readonly url: string;
  readonly score: number;
}

/**
 * Whoever types the title of a page, all of it and nothing else, looks for that page, and for no other that says much
 * of the same: the first hit of each page that is called like the query is raised, as far as above others that score
 * more. Of two such pages the one whose address has more words beside those of the other comes behind it: `email/examples`
 * behind `email`. A title may have its number and what all of a site end in beside, as `titleNames` reads them.
 *
 * @param hits best first, their scores from 0 to 1
 * @returns what the hits are ordered by, in the order given: their scores, those of raised ones above 1 where that puts them first
 */
export const withTitles = (query: string, hits: readonly Titled[]): readonly number[] => {
  const words = wordsOf(query);
  const isCalled = calledBy(words);
  const signed = signedWords(query);
  const raised = new Map<string, Raised>();
  const places = hits.map(({ page, title, url, score }, i) => {
    if (i >= TITLED_OF || words.length === 0 || raised.has(page) || !isCalled(title)) return score;
    if (!signed.every((word) => hasWord(title, word))) return score;
    raised.set(page, { at: i, address: new Set(url.toLowerCase().match(WORDS)) });
    return score + WEIGHT;
  });
  return raised.size < 2 ? places : generalFirst(places, [...raised.values()]);
};

/** A hit that is raised, and the words of its address. */
interface Raised {
  readonly at: number;
  readonly address: ReadonlySet<string>;
}
const WORDS = /[\p{L}\p{N}]+/gu;

/** Those with the fewest words of their address last, so that each comes before all that have its words and more. */
const generalFirst = (places: readonly number[], raised: readonly Raised[]): readonly number[] => {
  const moved = [...places];
  for (const { at, address } of raised.toSorted((a, b) => b.address.size - a.address.size))
    for (const other of raised)
      if (address.size > 0 && address.size < other.address.size && address.isSubsetOf(other.address))
        moved[at] = Math.max(moved[at]!, moved[other.at]! + BEFORE);
  return moved;
};

/** Whether a page of this title is called like the query, with its number and what all of a site end in or without. */
export const isTitle = (query: string, title: string): boolean => calledBy(wordsOf(query))(title);

/** Most titles do not have the query in them, which is soon seen. */
const calledBy = (words: readonly string[]): ((title: string) => boolean) => {
  const asked = words.join(' ');
  const mayBe = mayHaveWord(words[0] ?? '');
  return (title) =>
    mayBe(title) &&
    ` ${wordsOf(title).join(' ')} `.includes(` ${asked} `) &&
    titleParts(title).some((part) => wordsOf(part).join(' ') === asked);
};
