import type { SlottedPostings } from './segment-slots.ts';

/** BM25 (Robertson and Zaragoza, 2009), with these usual constants. */
export const K1 = 1.2;
export const B = 0.75;

/** How much a term of the query weighs in texts and in titles, inverse document frequency included. */
export interface QueryTermWeight {
  readonly term: string;
  readonly text: number;
  readonly title: number;
}

/** How much a term of the feedback weighs in texts. */
export interface FeedbackTermWeight {
  readonly term: string;
  readonly text: number;
}

/** K1 * B by the average length of texts and titles, in terms. */
export interface LengthNormalisation {
  readonly perTextLength: number;
  readonly perTitleLength: number;
}

/** What a frequency is set against where the length of a field is nothing. */
const FLOOR = K1 * (1 - B);

/**
 * Adds the score of one term to the sum of each content that has it: the weight of the term times its frequency,
 * saturated and set against the length of its field, f / (f + K1 (1 - B + B length / average)). The loops make no
 * calls, as they run hundreds of thousands of times.
 */
export type AddTermScores = (
  sums: Float64Array,
  of: SlottedPostings,
  weight: number,
  by: LengthNormalisation,
) => void;

export const addTextScores: AddTermScores = (
  sums,
  { start, slots, statistics },
  weight,
  { perTextLength },
) => {
  for (let i = 0; i < slots.length; i++) {
    const slot = start + (slots[i] as number);
    const packed = statistics[i] as number;
    const frequency = packed & 127;
    const length = (packed >> 7) & 8191;
    sums[slot] = (sums[slot] as number) + (weight * frequency) / (frequency + FLOOR + length * perTextLength);
  }
};

export const addTitleScores: AddTermScores = (
  sums,
  { start, slots, statistics },
  weight,
  { perTitleLength },
) => {
  for (let i = 0; i < slots.length; i++) {
    const slot = start + (slots[i] as number);
    const packed = statistics[i] as number;
    const frequency = (packed >> 20) & 7;
    const length = packed >> 23;
    sums[slot] =
      (sums[slot] as number) + (weight * frequency) / (frequency + FLOOR + length * perTitleLength);
  }
};
