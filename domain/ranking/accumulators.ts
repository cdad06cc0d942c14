import { type BitSet, clearBit, setBit, wordsFor } from './bit-set.ts';
import type { SlotLayout } from './slot-layout.ts';

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

/** Slots up to which accumulators are kept for another search. */
const MOST_KEPT = 1 << 20;

/** Accumulators for searches at the same time: new arrays for each search would keep the garbage collector busy. */
export const createAccumulatorPool = () => {
  const free: Accumulators[] = [];
  return {
    /** @param slots at least so many, a multiple of 32 */
    acquire: (slots: number): Accumulators => {
      const last = free.pop();
      return last !== undefined && last.base.length >= slots ? last : accumulatorsFor(slots);
    },
    /** @param slots those that were used */
    release: (accumulators: Accumulators, slots: number): void => {
      if (accumulators.base.length > MOST_KEPT) return;
      const { base, feedback, blocks, matched, excluded, hidden } = accumulators;
      for (const array of [base, feedback]) array.fill(0, 0, slots);
      for (const array of [blocks.base, blocks.feedback, matched, excluded, hidden])
        array.fill(0, 0, wordsFor(slots));
      free.push(accumulators);
    },
  };
};

const accumulatorsFor = (slots: number): Accumulators => {
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

/** Numbers of contents: only those that are allowed are ranked; null: all but the dead. */
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
  else changeEach(slots, excluded, dead, setBit);
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
