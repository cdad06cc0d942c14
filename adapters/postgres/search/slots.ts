import { type BitSet, setBit, wordsFor } from './bit-set.ts';
import type { SlottedPostings } from './impact.ts';
import { NO_POSTINGS, type Occurrences, type Segment } from './postings.ts';
import type { SegmentPostings } from './read-postings.ts';

/** A place in the sums for each content that may have one of the terms. */
export interface Slots {
  readonly count: number;
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

/**
 * Segment after segment. Where the numbers of one lie far apart, as other tenants' lie between, there is a slot for
 * each that is met, else one for each number.
 *
 * @param segments in the order of their numbers, which do not overlap
 * @param postings of each of the segments
 */
export const layOut = (
  segments: readonly Segment[],
  postings: readonly SegmentPostings[],
  terms: readonly string[],
): Slots => {
  let start = 0;
  const parts = segments.map((segment, i): Part => {
    const of: SegmentPostings = postings[i] ?? new Map();
    const occurrences = terms.reduce((sum, term) => sum + (of.get(term)?.offsets.length ?? 0), 0);
    const isDense = rangeOf(segment) <= occurrences * DENSE_BY_POSTING;
    const part = isDense ? denseSlots(segment, of, start) : sparseSlots(segment, of, terms, start);
    // Sets of slots are put together word by word.
    start += 32 * wordsFor(part.count);
    return part;
  });
  const partAt = (key: 'first' | 'start', at: number): Part | undefined =>
    parts[lastUpTo(parts.length, (i) => (parts[i] as Part)[key] <= at)];
  return {
    count: start,
    postingsOf: (term) => parts.map(({ postingsOf }) => postingsOf(term)),
    titlesOf: (term) => parts.map(({ titlesOf }) => titlesOf(term)),
    slotOf: (no) => partAt('first', no)?.slotOf(no) ?? null,
    noOf: (slot) => partAt('start', slot)?.noOf(slot) ?? Number.NaN,
  };
};

/** Notes which contents have a term. */
export const addTo = (met: BitSet, { start, slots, bits }: SlottedPostings): void => {
  if (bits === null) {
    for (const slot of slots) setBit(met, start + slot);
    return;
  }
  const from = start / 32;
  for (let i = 0; i < bits.length; i++) met[from + i] = (met[from + i] as number) | (bits[i] as number);
};

/** The slots of one segment. */
interface Part {
  /** The segment's first number, and the first slot. */
  readonly first: number;
  readonly start: number;
  readonly count: number;
  readonly postingsOf: (term: string) => SlottedPostings;
  readonly titlesOf: (term: string) => SlottedPostings;
  readonly slotOf: (no: number) => number | null;
  readonly noOf: (slot: number) => number;
}

const rangeOf = ({ first_no, last_no }: Segment): number => last_no - first_no + 1;

const denseSlots = (
  { first_no: first, last_no: last }: Segment,
  of: SegmentPostings,
  start: number,
): Part => ({
  first,
  start,
  count: last - first + 1,
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

const sparseSlots = (
  { first_no: first }: Segment,
  of: SegmentPostings,
  terms: readonly string[],
  start: number,
): Part => {
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
    postingsOf: (term) => slotted(postings.get(term) ?? NO_POSTINGS),
    titlesOf: (term) => slotted((postings.get(term) ?? NO_POSTINGS).titles),
    slotOf: (no) => {
      const slot = slotBy.get(no - first);
      return slot === undefined ? null : start + slot;
    },
    noOf: (slot) => first + (numbers[slot - start] as number),
  };
};

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
