import { type BitSet, setBit, wordsFor } from './bit-set.ts';
import { titleFrequencyOf } from './posting-statistics.ts';

/** Which contents have a term, and what ranking needs to know of it in each. */
export interface Occurrences {
  /** Numbers of contents, ascending, less the first number of the segment. */
  readonly offsets: Uint32Array;
  /** Packed, see `posting-statistics.ts`. */
  readonly statistics: Int32Array;
}

/** What one segment says of one term. */
export interface Postings extends Occurrences {
  /** Those of them that have it in their titles. */
  readonly titles: Occurrences;
  /** The same numbers as a set, where it is small beside them. */
  readonly bits: BitSet | null;
}

export interface Segment {
  readonly segment: number;
  /** Numbers of contents that it covers. */
  readonly first_no: number;
  readonly last_no: number;
}

const NOTHING: Occurrences = { offsets: new Uint32Array(), statistics: new Int32Array() };
export const NO_POSTINGS: Postings = { ...NOTHING, titles: NOTHING, bits: null };

/** With what is looked for in them made ready: once, as they are used many times. */
export const postingsOf = (all: Occurrences, segment: Segment): Postings => ({
  ...all,
  titles: titlesOf(all),
  bits: bitsOf(all.offsets, segment),
});

const titlesOf = ({ offsets, statistics }: Occurrences): Occurrences => {
  const titled: number[] = [];
  for (let i = 0; i < offsets.length; i++) {
    if (titleFrequencyOf(statistics[i] as number) > 0) titled.push(i);
  }
  if (titled.length === 0) return NOTHING;
  return {
    offsets: Uint32Array.from(titled, (i) => offsets[i] as number),
    statistics: Int32Array.from(titled, (i) => statistics[i] as number),
  };
};

/** Bytes of postings for each number that a set of them holds, from which on there is one. */
const SET_BY_NUMBER = 0.5;

/** The numbers as a set; null where they are few in their segment. */
const bitsOf = (offsets: Uint32Array, { first_no, last_no }: Segment): BitSet | null => {
  const range = last_no - first_no + 1;
  if (offsets.length * 8 < range * SET_BY_NUMBER) return null;
  const bits = new Uint32Array(wordsFor(range));
  for (const offset of offsets) setBit(bits, offset);
  return bits;
};

/**
 * Postings in memory. Those of a segment never change, and a merge makes a segment with another number: there is
 * nothing to invalidate.
 */
export interface PostingCache {
  /** The terms of this segment that are known. */
  readonly of: (key: string) => ReadonlyMap<string, Postings>;
  readonly add: (key: string, term: string, postings: Postings) => void;
}

/** What a term takes beside its numbers, about. */
const ENTRY_BYTES = 250;

const bytesOf = ({ offsets, statistics, titles, bits }: Postings): number =>
  [offsets, statistics, titles.offsets, titles.statistics, bits].reduce(
    (sum, array) => sum + (array?.byteLength ?? 0),
    ENTRY_BYTES,
  );

/** At most `mostBytes` in all, but for what one search needs; the segment that was not asked for longest goes first. */
export const createPostingCache = (mostBytes: number): PostingCache => {
  const kept = new Map<string, { bytes: number; readonly terms: Map<string, Postings> }>();
  let total = 0;
  const used = (key: string) => {
    const segment = kept.get(key) ?? { bytes: 0, terms: new Map<string, Postings>() };
    kept.delete(key);
    kept.set(key, segment);
    return segment;
  };
  const makeRoom = (except: string): void => {
    for (const [key, { bytes }] of kept) {
      if (total <= mostBytes) return;
      if (key === except) continue;
      kept.delete(key);
      total -= bytes;
    }
  };
  return {
    of: (key) => used(key).terms,
    add: (key, term, postings) => {
      const segment = used(key);
      if (segment.terms.has(term)) return;
      const bytes = bytesOf(postings);
      segment.terms.set(term, postings);
      segment.bytes += bytes;
      total += bytes;
      makeRoom(key);
    },
  };
};
