import { type BitSet, setBit, wordsFor } from './bit-set.ts';

/**
 * What ranking needs to know of one term in one content, packed into a positive 32-bit integer: how often it occurs in
 * the text (7 bits), the length of the text in terms (13), how often it occurs in the title (3), and the length of the
 * title (8). One array instead of four halves the time to write a segment. Greater values are cut: the weight of a
 * frequency is saturated long before 127, and no chunk comes near 8,191 terms.
 */
export const packStatistics = (
  frequency: number,
  length: number,
  titleFrequency: number,
  titleLength: number,
): number =>
  Math.min(frequency, 127) |
  (Math.min(length, 8191) << 7) |
  (Math.min(titleFrequency, 7) << 20) |
  (Math.min(titleLength, 255) << 23);

/** The same without lengths. @param frequency from 0 to 127 @param titleFrequency from 0 to 7 */
export const packFrequencies = (frequency: number, titleFrequency: number): number =>
  frequency | (titleFrequency << 20);

export const frequencyOf = (packed: number): number => packed & 127;
export const titleFrequencyOf = (packed: number): number => (packed >> 20) & 7;

/** Which contents have a term, and what ranking needs to know of it in each. */
export interface Occurrences {
  /** Numbers of contents, ascending, less the first number of the segment. */
  readonly offsets: Uint32Array;
  /** Packed, see `packStatistics`. */
  readonly statistics: Int32Array;
}

/** The postings of a term in a segment, by blocks of 32 numbers. */
export interface PostingBlocks {
  /** The blocks that have some, ascending; null: all up to the last, some of which may have none. */
  readonly blocks: Uint32Array | null;
  /** No posting of the block has a greater share of the weight of its term; in 255ths. */
  readonly highest: Uint8Array;
  /** Where the postings of each block begin, and behind them where the last end. Null where the blocks are listed. */
  readonly starts: Uint32Array | null;
  /** What lengths counted when this was made. */
  readonly perLength: number;
}

/** Occurrences that stay in memory, and what is made of them once it is needed. */
export interface KeptOccurrences extends Occurrences {
  readonly kept: { blocks: PostingBlocks | null };
}

/** What one segment says of one term. */
export interface Postings extends KeptOccurrences {
  /** Those of them that have it in their titles. */
  readonly titles: KeptOccurrences;
  /** The same numbers as a set, where it is small beside them. */
  readonly bits: BitSet | null;
}

export interface Segment {
  readonly segment: number;
  /** Numbers of contents that it covers. */
  readonly firstNo: number;
  readonly lastNo: number;
}

const NOTHING: KeptOccurrences = {
  offsets: new Uint32Array(),
  statistics: new Int32Array(),
  kept: { blocks: null },
};
export const NO_POSTINGS: Postings = { ...NOTHING, titles: NOTHING, bits: null };

/** With what is looked for in them made ready: once, as they are used many times. */
export const postingsOf = (all: Occurrences, segment: Segment): Postings => ({
  ...all,
  kept: { blocks: null },
  titles: titlesOf(all),
  bits: bitsOf(all.offsets, segment),
});

const titlesOf = ({ offsets, statistics }: Occurrences): KeptOccurrences => {
  const titled: number[] = [];
  for (let i = 0; i < offsets.length; i++) {
    if (titleFrequencyOf(statistics[i] as number) > 0) titled.push(i);
  }
  if (titled.length === 0) return NOTHING;
  return {
    offsets: Uint32Array.from(titled, (i) => offsets[i] as number),
    statistics: Int32Array.from(titled, (i) => statistics[i] as number),
    kept: { blocks: null },
  };
};

/** Bytes of postings for each number that a set of them holds, from which on there is one. */
const SET_BY_NUMBER = 0.5;

/** The numbers as a set; null where they are few in their segment. */
const bitsOf = (offsets: Uint32Array, { firstNo, lastNo }: Segment): BitSet | null => {
  const range = lastNo - firstNo + 1;
  if (offsets.length * 8 < range * SET_BY_NUMBER) return null;
  const bits = new Uint32Array(wordsFor(range));
  for (const offset of offsets) setBit(bits, offset);
  return bits;
};
