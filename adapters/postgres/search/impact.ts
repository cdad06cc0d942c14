import type { BitSet } from './bit-set.ts';

/** BM25 (Robertson and Zaragoza, 2009), with these usual constants. */
export const K1 = 1.2;
export const B = 0.75;

/** How much a term weighs in texts, in titles, and in texts by the second query; inverse document frequency included. */
export interface TermWeight {
  readonly term: string;
  readonly base: number;
  readonly title: number;
  readonly feedback: number;
}

/** K1 * B by the average length of texts and titles, in terms. */
export interface LengthScale {
  readonly per_text_length: number;
  readonly per_title_length: number;
}

/** The postings of one term in one segment, by the slots of its contents. */
export interface SlottedPostings {
  /** To be added to the slots. */
  readonly start: number;
  /** Ascending. */
  readonly slots: Uint32Array;
  /** Packed, see `posting-statistics.ts`. */
  readonly statistics: Int32Array;
  /** The slots as a set that begins with a word of its own, where it is small beside them. */
  readonly bits: BitSet | null;
}

/** Two scores of each slot. */
export interface Sums {
  readonly base: Float64Array;
  readonly feedback: Float64Array;
}

/** What a frequency is set against where the length of a field is nothing. */
const FLOOR = K1 * (1 - B);

/**
 * Adds what one term is worth to each content that has it: its frequency, saturated and set against the length of its
 * field, f / (f + K1 (1 - B + B length / average)). Loops without calls, as they run hundreds of thousands of times.
 */
export type AddImpacts = (sums: Sums, of: SlottedPostings, weight: TermWeight, by: LengthScale) => void;

/** By texts, to both scores. */
export const addTexts: AddImpacts = (sums, of, weight, by) => {
  if (weight.base > 0 && weight.feedback > 0) addToBoth(sums, of, weight, by);
  else if (weight.base > 0) addToOne(sums.base, of, weight.base, by);
  else if (weight.feedback > 0) addToOne(sums.feedback, of, weight.feedback, by);
};

const addToOne = (
  sums: Float64Array,
  { start, slots, statistics }: SlottedPostings,
  weight: number,
  { per_text_length }: LengthScale,
): void => {
  for (let i = 0; i < slots.length; i++) {
    const slot = start + (slots[i] as number);
    const packed = statistics[i] as number;
    const frequency = packed & 127;
    const length = (packed >> 7) & 8191;
    sums[slot] =
      (sums[slot] as number) + (weight * frequency) / (frequency + FLOOR + length * per_text_length);
  }
};

const addToBoth = (
  { base, feedback }: Sums,
  { start, slots, statistics }: SlottedPostings,
  weight: TermWeight,
  { per_text_length }: LengthScale,
): void => {
  for (let i = 0; i < slots.length; i++) {
    const slot = start + (slots[i] as number);
    const packed = statistics[i] as number;
    const frequency = packed & 127;
    const length = (packed >> 7) & 8191;
    const impact = frequency / (frequency + FLOOR + length * per_text_length);
    base[slot] = (base[slot] as number) + weight.base * impact;
    feedback[slot] = (feedback[slot] as number) + weight.feedback * impact;
  }
};

/** By titles, to the first score. */
export const addTitles: AddImpacts = (
  { base },
  { start, slots, statistics },
  { title },
  { per_title_length },
) => {
  for (let i = 0; i < slots.length; i++) {
    const packed = statistics[i] as number;
    const frequency = (packed >> 20) & 7;
    const slot = start + (slots[i] as number);
    const length = packed >> 23;
    base[slot] =
      (base[slot] as number) + (title * frequency) / (frequency + FLOOR + length * per_title_length);
  }
};

/** The postings of these slots alone, which are ascending. */
export const postingsAmong = (
  some: Uint32Array,
  { start, slots, statistics }: SlottedPostings,
): SlottedPostings => {
  const last = start + (slots.at(-1) ?? -1);
  const from = firstFrom(some, 0, start);
  const to = firstFrom(some, from, last + 1);
  const places = new Uint32Array(to - from);
  let [count, at] = [0, 0];
  for (let i = from; i < to; i++) {
    const slot = (some[i] as number) - start;
    if ((slots[at] as number) < slot) at = firstFrom(slots, at, slot);
    places[count] = at;
    if (slots[at] === slot) count += 1;
  }
  const found = places.subarray(0, count);
  return {
    start,
    slots: found.map((i) => slots[i] as number),
    statistics: Int32Array.from(found, (i) => statistics[i] as number),
    bits: null,
  };
};

/** The first place from this one on that holds the value or a greater one: in steps that double, then halve. */
const firstFrom = (sorted: Uint32Array, from: number, value: number): number => {
  let [low, high, step] = [from, from, 1];
  while (high < sorted.length && (sorted[high] as number) < value) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = Math.min(high, sorted.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
};
