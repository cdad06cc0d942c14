import { type BitSet, setBit, wordsFor } from './bit-set.ts';
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
interface SegmentSlots {
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
const denseSlots = (
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
const sparseSlots = (
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

/** A slot in the accumulators for each content that may have one of the terms. */
export interface SlotLayout {
  readonly count: number;
  /** Each number of each segment has a slot. */
  readonly isDense: boolean;
  /** Of one term, segment by segment: all, and those that have it in their titles. */
  readonly postingsOf: (term: string) => readonly SlottedPostings[];
  readonly titlesOf: (term: string) => readonly SlottedPostings[];
  /** The slot of the content with this number; null: it has none of the terms. */
  readonly slotOf: (no: number) => number | null;
  /** The number of the content in a slot. */
  readonly noOf: (slot: number) => number;
}

/** Numbers in a segment, for each posting that is added up, up to which each of them has a slot. */
const DENSE_BY_POSTING = 32;

/** Numbers in a segment up to which they have slots whatever is added up. */
const SMALL = 4_096;

/**
 * Segment after segment. Where the numbers of one lie far apart, as other tenants' lie between, there is a slot for
 * each that is met, else one for each number.
 *
 * @param segments in the order of their numbers, which do not overlap
 * @param postings of each of the segments
 */
export const slotLayout = (
  segments: readonly Segment[],
  postings: readonly TermPostings[],
  terms: readonly string[],
): SlotLayout => {
  const isDense = (segment: Segment, of: TermPostings): boolean => {
    const occurrences = terms.reduce((sum, term) => sum + (of.get(term)?.offsets.length ?? 0), 0);
    return rangeOf(segment) <= Math.max(SMALL, occurrences * DENSE_BY_POSTING);
  };
  return sideBySide(segments, postings, (segment, of, start) =>
    isDense(segment, of) ? denseSlots(segment, of, start) : sparseSlots(segment, of, terms, start),
  );
};

/** The same with a slot for each number, whatever the terms. */
export const denseLayout = (segments: readonly Segment[], postings: readonly TermPostings[]): SlotLayout =>
  sideBySide(segments, postings, denseSlots);

const sideBySide = (
  segments: readonly Segment[],
  postings: readonly TermPostings[],
  partFrom: (segment: Segment, of: TermPostings, start: number) => SegmentSlots,
): SlotLayout => {
  let start = 0;
  const parts = segments.map((segment, i): SegmentSlots => {
    const part = partFrom(segment, postings[i] ?? new Map(), start);
    // Sets of slots are put together word by word.
    start += 32 * wordsFor(part.count);
    return part;
  });
  const partAt = (key: 'first' | 'start', at: number): SegmentSlots | undefined =>
    parts[lastUpTo(parts.length, (i) => (parts[i] as SegmentSlots)[key] <= at)];
  return {
    count: start,
    isDense: parts.every(({ isDense }) => isDense),
    postingsOf: (term) => parts.map(({ postingsOf }) => postingsOf(term)),
    titlesOf: (term) => parts.map(({ titlesOf }) => titlesOf(term)),
    slotOf: (no) => partAt('first', no)?.slotOf(no) ?? null,
    noOf: (slot) => partAt('start', slot)?.noOf(slot) ?? Number.NaN,
  };
};

/** Notes which contents have a term. */
export const addTo = (matched: BitSet, { start, slots, bits }: SlottedPostings): void => {
  if (bits === null) {
    for (let i = 0; i < slots.length; i++) setBit(matched, start + (slots[i] as number));
    return;
  }
  const from = start / 32;
  for (let i = 0; i < bits.length; i++)
    matched[from + i] = (matched[from + i] as number) | (bits[i] as number);
};

const rangeOf = ({ firstNo, lastNo }: Segment): number => lastNo - firstNo + 1;

/** The last index that passes, where all before it do; the first where none does. */
const lastUpTo = (count: number, passes: (index: number) => boolean): number => {
  let [low, high] = [0, count];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return low;
};
