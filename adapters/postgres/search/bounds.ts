import { type BitSet, clearBit, setBit, wordsFor } from './bit-set.ts';
import type { Slots } from './slots.ts';

/** Numbers of contents: only those that are allowed are ranked; null: all but the dead. */
export interface Bounds {
  readonly allowed: Float64Array | null;
  readonly dead: Float64Array;
}

/** Notes what may not be ranked. */
export const markBarred = (slots: Slots, barred: BitSet, { allowed, dead }: Bounds): void => {
  if (allowed !== null) setAllBut(slots, barred, allowed);
  else changeEach(slots, barred, dead, setBit);
};

/** Notes the slots of all other contents. */
export const setAllBut = (slots: Slots, set: BitSet, numbers: Float64Array): void => {
  set.fill(0xffffffff, 0, wordsFor(slots.count));
  changeEach(slots, set, numbers, clearBit);
};

const changeEach = (
  slots: Slots,
  set: BitSet,
  numbers: Float64Array,
  change: (set: BitSet, at: number) => void,
): void => {
  for (const no of numbers) {
    const slot = slots.slotOf(no);
    if (slot !== null) change(set, slot);
  }
};
