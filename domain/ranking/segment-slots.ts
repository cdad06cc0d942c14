import type { BitSet } from './bit-set.ts';
import { NO_POSTINGS, type Occurrences, type Postings, type Segment } from './postings.ts';

/** The postings of one term in one segment, by the slots of its contents. */
export interface SlottedPostings {
  /** To be added to the slots. */
  readonly start: number;
  /** Ascending. */
  readonly slots: Uint32Array;
  /** Packed, see `packStatistics`. */
  readonly statistics: Int32Array;
  /** The slots as a set that begins with a word of its own, where it is small beside them. */
  readonly bits: BitSet | null;
}

/** Postings of one segment, by term. */
export interface TermPostings {
  readonly get: (term: string) => Postings | undefined;
}

/** The slots of one segment. */
export interface SegmentSlots {
  /** The segment's first number, and the first slot. */
  readonly first: number;
  readonly start: number;
  readonly count: number;
  readonly isDense: boolean;
  readonly postingsOf: (term: string) => SlottedPostings;
  readonly titlesOf: (term: string) => SlottedPostings;
  readonly slotOf: (no: number) => number | null;
  readonly noOf: (slot: number) => number;
}

/** One for each number. */
export const denseSlots = (
  { firstNo: first, lastNo: last }: Segment,
  of: TermPostings,
  start: number,
): SegmentSlots => ({
  first,
  start,
  count: last - first + 1,
  isDense: true,
  postingsOf: (term) => {
    const { offsets: slots, statistics, bits } = of.get(term) ?? NO_POSTINGS;
    return { start, slots, statistics, bits };
  },
  titlesOf: (term) => {
    const { offsets: slots, statistics } = (of.get(term) ?? NO_POSTINGS).titles;
    return { start, slots, statistics, bits: null };
  },
  slotOf: (no) => (no >= first && no <= last ? start + no - first : null),
  noOf: (slot) => first + slot - start,
});

/** One for each content that has one of the terms. */
export const sparseSlots = (
  { firstNo: first }: Segment,
  of: TermPostings,
  terms: readonly string[],
  start: number,
): SegmentSlots => {
  const postings = new Map(terms.map((term) => [term, of.get(term) ?? NO_POSTINGS]));
  const met = new Set([...postings.values()].flatMap(({ offsets }) => [...offsets]));
  const numbers = Uint32Array.from(met).toSorted();
  const slotBy = new Map([...numbers].map((offset, slot) => [offset, slot]));
  const slotted = ({ offsets, statistics }: Occurrences): SlottedPostings => ({
    start,
    slots: offsets.map((offset) => slotBy.get(offset) ?? 0),
    statistics,
    bits: null,
  });
  return {
    first,
    start,
    count: numbers.length,
    isDense: false,
    postingsOf: (term) => slotted(postings.get(term) ?? NO_POSTINGS),
    titlesOf: (term) => slotted((postings.get(term) ?? NO_POSTINGS).titles),
    slotOf: (no) => {
      const slot = slotBy.get(no - first);
      return slot === undefined ? null : start + slot;
    },
    noOf: (slot) => first + (numbers[slot - start] as number),
  };
};
