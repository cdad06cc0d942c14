import type { Accumulators } from './accumulators.ts';
import { type BitSet, wordsFor } from './bit-set.ts';

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

/** Slots up to which this is kept for another search. */
const MOST_KEPT = 1 << 21;

export const createBlockWorkPool = () => {
  const free: BlockWork[] = [];
  return {
    /** @param slots at least so many, a multiple of 32 */
    acquire: (slots: number): BlockWork => {
      const last = free.pop();
      return last !== undefined && last.base.length >= slots ? last : workFor(slots);
    },
    /** @param slots those that were used */
    release: (work: BlockWork, slots: number): void => {
      if (work.base.length > MOST_KEPT) return;
      const { blocks, bounds, stages, visited, matched, excluded, hidden } = work;
      const { text, base, feedback } = bounds;
      for (const array of [
        text,
        base,
        feedback,
        blocks.base,
        blocks.feedback,
        stages,
        visited,
        matched,
        excluded,
        hidden,
      ])
        array.fill(0, 0, wordsFor(slots));
      free.push(work);
    },
  };
};

const workFor = (slots: number): BlockWork => {
  const count = wordsFor(slots);
  const sums = (): Float64Array => new Float64Array(count);
  const set = (): BitSet => new Uint32Array(count);
  return {
    base: new Float64Array(slots),
    feedback: new Float64Array(slots),
    blocks: { base: sums(), feedback: sums() },
    matched: set(),
    excluded: set(),
    hidden: set(),
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
