import { MARK } from './names.ts';
import { frequencyOf, packStatistics, titleFrequencyOf } from './postings.ts';
import type { WordedDocument } from './vocabulary.ts';
import type { WordTerms } from './word-terms.ts';

/** The postings of every term of a segment, as columns. */
export interface SegmentPostings {
  readonly terms: readonly string[];
  readonly df: Int32Array;
  readonly titleDf: Int32Array;
  readonly cf: Int32Array;
  /** Where the part of each term ends in the two arrays that follow; it begins where the one before ends. */
  readonly ends: Int32Array;
  /** Places of documents, from 0 in the order in which they were added. */
  readonly places: Uint32Array;
  readonly statistics: Int32Array;
}

/** Numbers of terms, stop words not counted, by the weight of their length. The text field begins with the title. */
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

/** @param terms of the vocabulary's words, in their order */
export const createSegmentBuilder = (terms: readonly WordTerms[]): SegmentBuilder => {
  const { names, ...numbered } = numberTerms(terms);
  const entries: Entries = { terms: [], places: [], statistics: [] };
  let documents = 0;
  const inText = new Int32Array(names.length);
  const inTitle = new Int32Array(names.length);
  const take = (term: number, lengths: Lengths): void => {
    const [frequency = 0, titleFrequency = 0] = [inText[term], inTitle[term]];
    if (frequency === 0) return;
    entries.terms.push(term);
    entries.places.push(documents);
    entries.statistics.push(packStatistics(frequency, lengths.text, titleFrequency, lengths.title));
    inText[term] = 0;
    inTitle[term] = 0;
  };
  return {
    add: ({ title, body, beside }) => {
      const ofTitle = count(title, numbered, inTitle, inText);
      const ofBody = count(body, numbered, inText);
      const ofBeside = count(beside, numbered, inText);
      const lengths = {
        text: ofTitle.length + ofBody.length,
        title: ofTitle.length,
      };
      for (const term of ofTitle.terms) take(term, lengths);
      for (const term of ofBody.terms) take(term, lengths);
      for (const term of ofBeside.terms) take(term, lengths);
      documents += 1;
      return lengths;
    },
    postings: () => groupByTerm(names, entries),
  };
};

/** One entry per term of a document, in the order of documents, as columns. */
interface Entries {
  readonly terms: number[];
  readonly places: number[];
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
  const places = new Uint32Array(end);
  const statistics = new Int32Array(end);
  for (const [i, term] of entries.terms.entries()) {
    const place = next[term] ?? 0;
    places[place] = entries.places[i] ?? 0;
    statistics[place] = entries.statistics[i] ?? 0;
    next[term] = place + 1;
  }
  return { terms, df, titleDf, cf, ends, places, statistics };
};
type Counters = [Int32Array, Int32Array, Int32Array];

const increase = (counter: Int32Array, at: number, by: number): void => {
  counter[at] = (counter[at] ?? 0) + by;
};

interface NumberedTerms {
  /** The first term of each word; -1 where it has none. */
  readonly termOf: Int32Array;
  /** Whether a word makes a text longer: 1, or 0 for names and stop words. */
  readonly counted: Uint8Array;
  /** The others, of the words that have some. */
  readonly others: ReadonlyMap<number, readonly number[]>;
}

/** Several words share a term. */
const numberTerms = (terms: readonly WordTerms[]): NumberedTerms & { readonly names: readonly string[] } => {
  const numbers = new Map<string, number>();
  const numberOf = (term: string): number => {
    const known = numbers.get(term) ?? numbers.size;
    numbers.set(term, known);
    return known;
  };
  const termOf = Int32Array.from(terms, ([first]) => (first === undefined ? -1 : numberOf(first)));
  const counted = Uint8Array.from(terms, ([first]) => (first?.startsWith(MARK) === false ? 1 : 0));
  const others = new Map(
    terms.flatMap((of, word) => (of.length > 1 ? [[word, of.slice(1).map(numberOf)] as const] : [])),
  );
  return { names: [...numbers.keys()], termOf, counted, others };
};

/** The terms of the words, repeated as they occur; adds them up in each of `frequencies`. */
const count = (
  words: readonly number[],
  { termOf, counted, others }: NumberedTerms,
  ...frequencies: readonly Int32Array[]
): { readonly terms: readonly number[]; readonly length: number } => {
  const terms: number[] = [];
  let length = 0;
  const occur = (term: number): void => {
    for (const frequency of frequencies) frequency[term] = (frequency[term] ?? 0) + 1;
    terms.push(term);
  };
  for (const word of words) {
    const term = termOf[word] ?? -1;
    if (term < 0) continue;
    length += counted[word] as number;
    occur(term);
    for (const other of others.get(word) ?? []) occur(other);
  }
  return { terms, length };
};
