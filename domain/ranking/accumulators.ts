import { type BitSet, clearBit, setBit, wordsFor } from './bit-set.ts';
import type { SlotLayout } from './segment-slots.ts';
import { createSlotPool, type SlotPool } from './slot-pool.ts';

/** What one search adds up in, by slot. All zero in the beginning. */
export interface Accumulators {
  readonly base: Float64Array;
  readonly feedback: Float64Array;
  /** The highest of each 32 of these. */
  readonly blocks: { readonly base: Float64Array; readonly feedback: Float64Array };
  /** They have one of the terms. */
  readonly matched: BitSet;
  /** They may not be ranked. */
  readonly excluded: BitSet;
  /** They are ranked and counted, but not to be answered. */
  readonly hidden: BitSet;
}

/** Slots of accumulators that are kept for other searches. */
const MAX_KEPT = 1 << 20;

export const createAccumulatorPool = (): SlotPool<Accumulators> =>
  createSlotPool(accumulatorsFor, clear, MAX_KEPT);

const clear = ({ base, feedback, blocks, matched, excluded, hidden }: Accumulators, slots: number): void => {
  for (const array of [base, feedback]) array.fill(0, 0, slots);
  for (const array of [blocks.base, blocks.feedback, matched, excluded, hidden])
    array.fill(0, 0, wordsFor(slots));
};

/** All zero, for so many slots, a multiple of 32. */
export const accumulatorsFor = (slots: number): Accumulators => {
  const words = wordsFor(slots);
  const set = (): BitSet => new Uint32Array(words);
  return {
    base: new Float64Array(slots),
    feedback: new Float64Array(slots),
    blocks: { base: new Float64Array(words), feedback: new Float64Array(words) },
    matched: set(),
    excluded: set(),
    hidden: set(),
  };
};

/** Numbers of contents: only those that are allowed are ranked, all where it is null, and never the dead. */
export interface CandidateBounds {
  readonly allowed: Float64Array | null;
  readonly dead: Float64Array;
}

/** Marks the slots that may not be ranked. */
export const markExcluded = (
  slots: SlotLayout,
  excluded: BitSet,
  { allowed, dead }: CandidateBounds,
): void => {
  if (allowed !== null) markAllBut(slots, excluded, allowed);
  changeEach(slots, excluded, dead, setBit);
};

/** Marks the slots of all other contents. */
export const markAllBut = (slots: SlotLayout, set: BitSet, numbers: Float64Array): void => {
  set.fill(0xffffffff, 0, wordsFor(slots.count));
  changeEach(slots, set, numbers, clearBit);
};

const changeEach = (
  slots: SlotLayout,
  set: BitSet,
  numbers: Float64Array,
  change: (set: BitSet, at: number) => void,
): void => {
  for (const no of numbers) {
    const slot = slots.slotOf(no);
    if (slot !== null) change(set, slot);
  }
};
