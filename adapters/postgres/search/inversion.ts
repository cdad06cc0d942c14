import { frequencyOf, packStatistics, titleFrequencyOf } from './posting-statistics.ts';
import type { WordedDocument } from './vocabulary.ts';

/** A row of `lexical_posting`; `nos` and `statistics` are array literals. */
export interface Posting {
  readonly term: string;
  readonly df: number;
  readonly title_df: number;
  readonly cf: number;
  readonly nos: string;
  readonly statistics: string;
}

/** Numbers of terms, stop words not counted. The text field of a document begins with its title. */
export interface Lengths {
  readonly text: number;
  readonly title: number;
}

export interface Inversion {
  /** Documents are added in the order of their numbers. */
  readonly add: (document: WordedDocument) => Lengths;
  readonly postings: () => readonly Posting[];
}

/** @param terms of the vocabulary's words, in their order; the empty text for a stop word */
export const createInversion = (terms: readonly string[]): Inversion => {
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

/** A counting sort, which keeps the order within a term: string per posting would cost five times as much. */
const groupByTerm = (names: readonly string[], entries: Entries): readonly Posting[] => {
  const ends = new Int32Array(names.length);
  for (const term of entries.terms) ends[term] = (ends[term] ?? 0) + 1;
  for (let term = 1; term < ends.length; term++) ends[term] = (ends[term] ?? 0) + (ends[term - 1] ?? 0);
  const next = Int32Array.from(ends, (_, term) => ends[term - 1] ?? 0);
  const nos = new Float64Array(entries.nos.length);
  const statistics = new Int32Array(entries.nos.length);
  for (const [i, term] of entries.terms.entries()) {
    const place = next[term] ?? 0;
    nos[place] = entries.nos[i] ?? 0;
    statistics[place] = entries.statistics[i] ?? 0;
    next[term] = place + 1;
  }
  return names.map((term, i) => {
    const [start, end] = [ends[i - 1] ?? 0, ends[i] ?? 0];
    return postingOf(term, nos.subarray(start, end), statistics.subarray(start, end));
  });
};

const postingOf = (term: string, nos: Float64Array, statistics: Int32Array): Posting => {
  let cf = 0;
  let title_df = 0;
  for (const packed of statistics) {
    cf += frequencyOf(packed);
    if (titleFrequencyOf(packed) > 0) title_df += 1;
  }
  return { term, df: nos.length, title_df, cf, nos: `{${nos.join()}}`, statistics: `{${statistics.join()}}` };
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
