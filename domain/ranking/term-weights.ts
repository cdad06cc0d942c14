import type { AskedWord } from './asked-terms.ts';
import { B, type FeedbackTermWeight, K1, type LengthNormalisation, type QueryTermWeight } from './bm25.ts';

/** A term of the query: how often the query has it, and how many contents and titles do. */
export interface QueryTerm {
  readonly term: string;
  readonly n: number;
  readonly df: number;
  readonly titleDf: number;
}

/** A term of the feedback: how often the feedback has it, by the shares of its contents, in how many contents it occurs, and how often in all. */
export interface FeedbackTerm {
  readonly term: string;
  readonly n: number;
  readonly df: number;
  readonly cf: number;
}

/** Contents that the feedback is read from: the best of the first pass. */
export const FEEDBACK_CONTENTS = 5;
/** Weight of the title, and terms of the feedback: these three as measured on five test collections. */
const TITLE_WEIGHT = 0.3;
export const FEEDBACK_TERMS = 20;
/**
 * What each of these contents counts in the feedback, from 0 to 1: as much as it scores beside the best, as in relevance
 * models (Lavrenko and Croft, 2001), so that what is far behind adds little. For a short query all count the same: the
 * best of one has a name by chance more often.
 *
 * @param scores best first
 * @param words that the query asks for
 */
export const feedbackShares = (scores: readonly number[], words: number): readonly number[] => {
  const best = scores[0] ?? 0;
  return scores.map((score) => (best > 0 ? (score / best) ** (1 - brevityOf(words)) : 1));
};

/**
 * How short a query of so many words is: 1 up to four, 0 from six on. A short query names a thing; a long one describes
 * it in many words.
 */
const brevityOf = (words: number): number => Math.max(0, Math.min(1, (LONG - words) / (LONG - SHORT)));
const [SHORT, LONG] = [4, 6];
/** Whether it describes a thing, at least in part, so that other words may too. */
export const isLong = (words: number): boolean => brevityOf(words) < 1;

/** A word of a query, and how rare it is among the contents of the tenant: 1 in none of them, 0 in all. */
export interface WordRarity {
  /** As `wordsOf` returns it. */
  readonly word: string;
  readonly rarity: number;
}

/**
 * Rarities of the words of a query, without stop words, names and identifiers: inverse document frequencies relative to
 * that of a word that no content has. Of a word with several terms, its most frequent term counts.
 *
 * @param contents of the tenant
 */
export const raritiesOf = (
  contents: number,
  asked: readonly AskedWord[],
  terms: readonly Pick<QueryTerm, 'term' | 'df'>[],
): readonly WordRarity[] => {
  const df = new Map(terms.map((one) => [one.term, one.df]));
  const many = Math.max(contents, MIN_CONTENTS);
  const most = inverseDocumentFrequency(many, 0);
  return asked
    .filter((one) => PLAIN.test(one.word) && one.terms.length > 0)
    .map((one) => ({
      word: one.word,
      rarity: inverseDocumentFrequency(many, Math.max(...one.terms.map((term) => df.get(term) ?? 0))) / most,
    }));
};
/** Fewer do not tell which words are common. */
const MIN_CONTENTS = 1_000;
const PLAIN = /^[\p{L}\p{M}\p{N}]+$/u;

/** Contents with a term up to which it costs little to score. */
const CHEAP = 1_000;

/**
 * Contents of a collection up to which a term of the feedback counts: those in more than a tenth of a large collection
 * tell little (on test collections nothing was lost without them), and cost most. Terms of the query always count.
 */
export const feedbackReach = (contents: number): number => Math.max(CHEAP, contents / 10);

/**
 * @param textLength of all contents together, in terms
 * @param titleLength the same of their titles
 */
export const lengthNormalisation = (
  contents: number,
  textLength: number,
  titleLength: number,
): LengthNormalisation => ({
  perTextLength: (K1 * B * contents) / Math.max(textLength, 1),
  perTitleLength: (K1 * B * contents) / Math.max(titleLength, 1),
});

/** What the query's own terms weigh, the rarest first. */
export const queryTermWeights = (contents: number, terms: readonly QueryTerm[]): readonly QueryTermWeight[] =>
  terms.toSorted(byRarity).map(({ term, n, df, titleDf }) => ({
    term,
    text: n * inverseDocumentFrequency(contents, df),
    title: n * TITLE_WEIGHT * inverseDocumentFrequency(contents, titleDf),
  }));

/**
 * What the most telling terms of the feedback weigh in the feedback's query, at most 1 but for rarity; the rarest first.
 * By Bo1, the divergence of their frequency in the feedback from that in the collection (Amati, "Probability models for
 * information retrieval based on divergence from randomness", 2003).
 */
export const feedbackTermWeights = (
  contents: number,
  terms: readonly FeedbackTerm[],
): readonly FeedbackTermWeight[] => {
  const reach = feedbackReach(contents);
  const reached = terms.filter(({ df }) => df <= reach);
  const telling = reached
    .map((of) => ({ term: of.term, df: of.df, weight: divergence(contents, of) }))
    .toSorted((a, b) => b.weight - a.weight || compare(a.term, b.term))
    .slice(0, FEEDBACK_TERMS);
  const greatest = telling[0]?.weight ?? 1;
  return telling.toSorted(byRarity).map(({ term, df, weight }) => ({
    term,
    text: (weight / greatest) * inverseDocumentFrequency(contents, df),
  }));
};

/** Never negative, with BM25's constant factor. */
const inverseDocumentFrequency = (contents: number, df: number): number =>
  (K1 + 1) * Math.log(1 + (contents - df + 0.5) / (df + 0.5));

const divergence = (contents: number, { n, cf }: FeedbackTerm): number => {
  const p = cf / contents;
  return n * Math.log((1 + p) / p) + Math.log(1 + p);
};

/** The order in which scores are added up: the same wherever contents lie, so that equal ones score equally. */
const byRarity = (
  a: { readonly term: string; readonly df: number },
  b: { readonly term: string; readonly df: number },
): number => a.df - b.df || compare(a.term, b.term);

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
