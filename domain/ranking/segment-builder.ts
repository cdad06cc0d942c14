import { frequencyOf, packStatistics, titleFrequencyOf } from './postings.ts';
import type { WordedDocument } from './vocabulary.ts';

/** The postings of every term of a segment, as columns. */
export interface SegmentPostings {
  readonly terms: readonly string[];
  readonly df: Int32Array;
  readonly titleDf: Int32Array;
  readonly cf: Int32Array;
  /** Where the part of each term ends in the two arrays that follow; it begins where the one before ends. */
  readonly ends: Int32Array;
  readonly nos: Float64Array;
  readonly statistics: Int32Array;
}

/** Numbers of terms, stop words not counted. The text field of a document begins with its title. */
export interface Lengths {
  readonly text: number;
  readonly title: number;
}

/** Inverts documents into postings, in memory. */
export interface SegmentBuilder {
  /** Documents are added in the order of their numbers. */
  readonly add: (document: WordedDocument) => Lengths;
  readonly postings: () => SegmentPostings;
}

/** @param terms of the vocabulary's words, in their order; the empty text for a stop word */
export const createSegmentBuilder = (terms: readonly string[]): SegmentBuilder => {
  const { names, termOf } = numberTerms(terms);
  const entries: Entries = { terms: [], nos: [], statistics: [] };
  const inText = new Int32Array(names.length);
  const inTitle = new Int32Array(names.length);
  const take = (term: number, no: number, lengths: Lengths): void => {
    const [frequency = 0, titleFrequency = 0] = [inText[term], inTitle[term]];
    if (frequency === 0) return;
    entries.terms.push(term);
    entries.nos.push(no);
    entries.statistics.push(packStatistics(frequency, lengths.text, titleFrequency, lengths.title));
    inText[term] = 0;
    inTitle[term] = 0;
  };
  return {
    add: ({ no, title, body }) => {
      const ofTitle = count(title, termOf, inTitle, inText);
      const ofBody = count(body, termOf, inText);
      const lengths = { text: ofTitle.length + ofBody.length, title: ofTitle.length };
      for (const term of ofTitle) take(term, no, lengths);
      for (const term of ofBody) take(term, no, lengths);
      return lengths;
    },
    postings: () => groupByTerm(names, entries),
  };
};

/** One entry per term of a document, in the order of documents, as columns. */
interface Entries {
  readonly terms: number[];
  readonly nos: number[];
  readonly statistics: number[];
}

/** A counting sort, which keeps the order within a term: a list per term would cost several times as much. */
const groupByTerm = (terms: readonly string[], entries: Entries): SegmentPostings => {
  const [df, titleDf, cf] = [0, 0, 0].map(() => new Int32Array(terms.length)) as Counters;
  for (const [i, term] of entries.terms.entries()) {
    const packed = entries.statistics[i] ?? 0;
    increase(df, term, 1);
    increase(titleDf, term, titleFrequencyOf(packed) > 0 ? 1 : 0);
    increase(cf, term, frequencyOf(packed));
  }
  let end = 0;
  const ends = df.map((n) => (end += n));
  const next = ends.map((stop, term) => stop - (df[term] ?? 0));
  const nos = new Float64Array(end);
  const statistics = new Int32Array(end);
  for (const [i, term] of entries.terms.entries()) {
    const place = next[term] ?? 0;
    nos[place] = entries.nos[i] ?? 0;
    statistics[place] = entries.statistics[i] ?? 0;
    next[term] = place + 1;
  }
  return { terms, df, titleDf, cf, ends, nos, statistics };
};
type Counters = [Int32Array, Int32Array, Int32Array];

const increase = (counter: Int32Array, at: number, by: number): void => {
  counter[at] = (counter[at] ?? 0) + by;
};

/** Several words share a term. A stop word has the number -1. */
const numberTerms = (
  terms: readonly string[],
): { readonly names: readonly string[]; readonly termOf: Int32Array } => {
  const numbers = new Map<string, number>();
  const termOf = Int32Array.from(terms, (term) => {
    if (term === '') return -1;
    const known = numbers.get(term) ?? numbers.size;
    numbers.set(term, known);
    return known;
  });
  return { names: [...numbers.keys()], termOf };
};

/** The terms of the words, repeated as they occur; adds them up in each of `frequencies`. */
const count = (
  words: readonly number[],
  termOf: Int32Array,
  ...frequencies: readonly Int32Array[]
): readonly number[] => {
  const occurring: number[] = [];
  for (const word of words) {
    const term = termOf[word] ?? -1;
    if (term < 0) continue;
    for (const frequency of frequencies) frequency[term] = (frequency[term] ?? 0) + 1;
    occurring.push(term);
  }
  return occurring;
};
