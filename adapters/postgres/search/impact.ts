import type { BitSet } from './bit-set.ts';

/** BM25 (Robertson and Zaragoza, 2009), with these usual constants. */
export const K1 = 1.2;
export const B = 0.75;

/** How much a term of the query weighs in texts and in titles, inverse document frequency included. */
export interface OwnWeight {
  readonly term: string;
  readonly text: number;
  readonly title: number;
}

/** How much a term of the feedback weighs in texts. */
export interface FeedbackWeight {
  readonly term: string;
  readonly text: number;
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

/** What a frequency is set against where the length of a field is nothing. */
const FLOOR = K1 * (1 - B);

/**
 * Adds what one term is worth to each content that has it: its frequency, saturated and set against the length of its
 * field, f / (f + K1 (1 - B + B length / average)). Loops without calls, as they run hundreds of thousands of times.
 */
export type AddImpacts = (sums: Float64Array, of: SlottedPostings, weight: number, by: LengthScale) => void;

export const addTexts: AddImpacts = (sums, { start, slots, statistics }, weight, { per_text_length }) => {
  for (let i = 0; i < slots.length; i++) {
    const slot = start + (slots[i] as number);
    const packed = statistics[i] as number;
    const frequency = packed & 127;
    const length = (packed >> 7) & 8191;
    sums[slot] =
      (sums[slot] as number) + (weight * frequency) / (frequency + FLOOR + length * per_text_length);
  }
};

export const addTitles: AddImpacts = (sums, { start, slots, statistics }, weight, { per_title_length }) => {
  for (let i = 0; i < slots.length; i++) {
    const slot = start + (slots[i] as number);
    const packed = statistics[i] as number;
    const frequency = (packed >> 20) & 7;
    const length = packed >> 23;
    sums[slot] =
      (sums[slot] as number) + (weight * frequency) / (frequency + FLOOR + length * per_title_length);
  }
};
