import type { Occurrences } from './postings.ts';
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

/** A field that scores are added up of. */
export type Field = 'text' | 'title';

/**
 * Adds the score of one term to the sum of each content that has it: the weight of the term times its frequency,
 * saturated and set against the length of its field, f / (f + K1 (1 - B + B length / average)). The loops make no
 * calls, as they run hundreds of thousands of times.
 *
 * @param from the first posting, by default that of all
 * @param to behind the last
 */
export type AddTermScores = (
  sums: Float64Array,
  of: SlottedPostings,
  weight: number,
  by: LengthNormalisation,
  from?: number,
  to?: number,
) => void;

export const addTextScores: AddTermScores = (
  sums,
  { start, slots, statistics },
  weight,
  { perTextLength },
  from = 0,
  to = slots.length,
) => {
  for (let i = from; i < to; i++) {
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
  from = 0,
  to = slots.length,
) => {
  for (let i = from; i < to; i++) {
    const slot = start + (slots[i] as number);
    const packed = statistics[i] as number;
    const frequency = (packed >> 20) & 7;
    const length = packed >> 23;
    sums[slot] =
      (sums[slot] as number) + (weight * frequency) / (frequency + FLOOR + length * perTitleLength);
  }
};

/** Visits each block of 32 that has postings, with the highest share of its weight that the term adds to one of it. */
export const highestShares = (
  { offsets, statistics }: Occurrences,
  field: Field,
  perLength: number,
  visit: (block: number, share: number) => void,
): void => {
  const [frequencyAt, frequencies] = field === 'text' ? [0, 127] : [20, 7];
  const [lengthAt, lengths] = field === 'text' ? [7, 8191] : [23, 255];
  for (let i = 0; i < offsets.length;) {
    const block = (offsets[i] as number) >>> 5;
    let highest = 0;
    for (; i < offsets.length && (offsets[i] as number) >>> 5 === block; i++) {
      const packed = statistics[i] as number;
      const frequency = (packed >> frequencyAt) & frequencies;
      const length = (packed >> lengthAt) & lengths;
      const share = frequency / (frequency + FLOOR + length * perLength);
      if (share > highest) highest = share;
    }
    visit(block, highest);
  }
};
