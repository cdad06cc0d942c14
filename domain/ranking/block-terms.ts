import { type Accumulators, accumulatorsFor } from './accumulators.ts';
import { wordsFor } from './bit-set.ts';
import { type Field, type LengthNormalisation, addTextScores, addTitleScores } from './bm25.ts';
import { blocksOf } from './term-blocks.ts';
import { NO_POSTINGS, type PostingBlocks } from './postings.ts';
import type { SlottedPostings, TermPostings } from './segment-slots.ts';
import { type SlotPool, createSlotPool } from './slot-pool.ts';

/** Postings of a term in one segment, which can be entered at each block of 32 slots. */
export interface BlockPostings extends SlottedPostings {
  readonly weight: number;
  readonly blocks: PostingBlocks;
}

/** A term in one field. */
export interface BlockTerm {
  readonly weight: number;
  /** Segment by segment; null where no content of it has the term. */
  readonly parts: readonly (BlockPostings | null)[];
}

/** @param starts the first slot of each segment @param postings of each segment */
export const blockTerm = (
  term: string,
  weight: number,
  field: Field,
  lengths: LengthNormalisation,
  starts: readonly number[],
  postings: readonly TermPostings[],
): BlockTerm => ({
  weight,
  parts: starts.map((start, i) => {
    const all = postings[i]?.get(term) ?? NO_POSTINGS;
    const of = field === 'text' ? all : all.titles;
    const { offsets: slots, statistics } = of;
    if (slots.length === 0) return null;
    const blocks = blocksOf(of, field, perLengthOf(field, lengths));
    return { weight, start, slots, statistics, bits: field === 'text' ? all.bits : null, blocks };
  }),
});

const perLengthOf = (field: Field, { perTextLength, perTitleLength }: LengthNormalisation): number =>
  field === 'text' ? perTextLength : perTitleLength;

/** Adds to each block the most that the term adds to the score of one of its slots. */
export const addBounds = (
  bounds: Float64Array,
  { weight, parts }: BlockTerm,
  field: Field,
  lengths: LengthNormalisation,
): void => {
  const perLength = perLengthOf(field, lengths);
  for (const part of parts) {
    if (part === null) continue;
    const { highest, blocks, perLength: before } = part.blocks;
    const first = part.start >>> 5;
    // Where lengths count less than when the blocks were made, a share is greater, by as much at most.
    const by = (weight * Math.max(1, before / perLength)) / 255;
    for (let i = 0; i < highest.length; i++) {
      const at = first + (blocks === null ? i : (blocks[i] as number));
      bounds[at] = (bounds[at] as number) + by * (highest[i] as number);
    }
  }
};

/** Segment by segment those terms that a content of it has, in their order. */
export const bySegment = (
  terms: readonly BlockTerm[],
  segments: number,
): readonly (readonly BlockPostings[])[] =>
  Array.from({ length: segments }, (_, i) =>
    terms.flatMap(({ parts }): BlockPostings | [] => parts[i] ?? []),
  );

/** Adds the scores of the terms, in their order, to the slots of one block. @param block within their segment */
export const addInBlock = (
  sums: Float64Array,
  terms: readonly BlockPostings[],
  field: Field,
  lengths: LengthNormalisation,
  block: number,
): void => {
  const add = field === 'text' ? addTextScores : addTitleScores;
  for (let i = 0; i < terms.length; i++) {
    const of = terms[i] as BlockPostings;
    const {
      slots,
      blocks: { starts, highest },
    } = of;
    let from: number;
    let to: number;
    if (starts !== null) {
      // Where nothing is to be added, which is less to look at than where postings begin.
      if (block >= highest.length || highest[block] === 0) continue;
      from = starts[block] as number;
      to = starts[block + 1] as number;
    } else {
      from = firstFrom(slots, block * 32);
      to = from;
      while (to < slots.length && (slots[to] as number) < (block + 1) * 32) to += 1;
    }
    if (from < to) add(sums, of, of.weight, lengths, from, to);
  }
};

/** The first of these that is so much or more. */
const firstFrom = (slots: Uint32Array, least: number): number => {
  let [low, high] = [0, slots.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((slots[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** What one search works in that scores only blocks of slots which may hold one of the best. */
export interface BlockWork extends Accumulators {
  /** How far each block has been scored; the scores of those that have not are those of another search. */
  readonly stages: Uint8Array;
  /** The last visit to each. */
  readonly visited: Uint8Array;
  /** Where each comes in an order, for whoever makes one. */
  readonly levels: Uint16Array;
  /** The most that a slot of each block can have. */
  readonly bounds: {
    readonly text: Float64Array;
    readonly base: Float64Array;
    readonly feedback: Float64Array;
    readonly place: Float64Array;
  };
}

/** Slots of these that are kept for other searches: some 75 MB. */
const MAX_KEPT = 1 << 22;

export const createBlockWorkPool = (): SlotPool<BlockWork> => createSlotPool(workFor, clear, MAX_KEPT);

/** Scores of blocks that have not been scored are never read, and levels are set before they are. */
const clear = (
  { blocks, bounds, stages, visited, matched, excluded, hidden }: BlockWork,
  slots: number,
): void => {
  const { text, base, feedback } = bounds;
  const sums = [text, base, feedback, blocks.base, blocks.feedback];
  for (const array of [...sums, stages, visited, matched, excluded, hidden])
    array.fill(0, 0, wordsFor(slots));
};

const workFor = (slots: number): BlockWork => {
  const count = wordsFor(slots);
  const sums = (): Float64Array => new Float64Array(count);
  return {
    ...accumulatorsFor(slots),
    stages: new Uint8Array(count),
    visited: new Uint8Array(count),
    levels: new Uint16Array(count),
    bounds: { text: sums(), base: sums(), feedback: sums(), place: sums() },
  };
};

/** Of a block those that have one of the terms and may be ranked. */
export const rankedIn = ({ matched, excluded }: BlockWork, block: number): number =>
  (matched[block] as number) & ~(excluded[block] as number);

/** Visits slots of a block, ascending. @param these of its 32 */
export const forEachIn = (block: number, these: number, visit: (slot: number) => void): void => {
  const last = block * 32 + 31;
  for (let left = these; left !== 0; left &= left - 1) visit(last - Math.clz32(left & -left));
};

/** Each sum of two bounds by their weights. */
export const weigh = (
  to: Float64Array,
  count: number,
  one: Float64Array,
  byOne: number,
  other: Float64Array = one,
  byOther = 0,
): void => {
  for (let block = 0; block < count; block++)
    to[block] = (one[block] as number) * byOne + (other[block] as number) * byOther;
};

export const highestBound = (bounds: Float64Array, count: number): number => {
  let most = 0;
  for (let block = 0; block < count; block++) most = Math.max(most, bounds[block] as number);
  return most;
};
