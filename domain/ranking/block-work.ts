import { type Accumulators, accumulatorsFor } from './accumulators.ts';
import { wordsFor } from './bit-set.ts';
import { createSlotPool, type SlotPool } from './slot-pool.ts';

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
const MOST_KEPT = 1 << 22;

export const createBlockWorkPool = (): SlotPool<BlockWork> => createSlotPool(workFor, clear, MOST_KEPT);

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
