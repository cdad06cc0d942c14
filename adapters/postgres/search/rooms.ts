import { type BitSet, wordsFor } from './bit-set.ts';

/** What one search adds up in, by slot. All zero in the beginning. */
export interface Room {
  readonly base: Float64Array;
  readonly feedback: Float64Array;
  /** The highest of each 32 of these. */
  readonly blocks: { readonly base: Float64Array; readonly feedback: Float64Array };
  /** They have one of the terms. */
  readonly met: BitSet;
  /** They may not be ranked. */
  readonly barred: BitSet;
  /** They are ranked and counted, but not to be answered. */
  readonly hidden: BitSet;
}

/** Slots of which a room is kept for another search. */
const MOST_KEPT = 1 << 20;

/** Rooms for searches at the same time: new arrays for each search would keep the garbage collector busy. */
export const createRooms = () => {
  const free: Room[] = [];
  return {
    /** @param slots at least so many, a multiple of 32 */
    take: (slots: number): Room => {
      const last = free.pop();
      return last !== undefined && last.base.length >= slots ? last : roomFor(slots);
    },
    /** @param slots those that were used */
    giveBack: (room: Room, slots: number): void => {
      if (room.base.length > MOST_KEPT) return;
      const { base, feedback, blocks, met, barred, hidden } = room;
      for (const array of [base, feedback]) array.fill(0, 0, slots);
      for (const array of [blocks.base, blocks.feedback, met, barred, hidden])
        array.fill(0, 0, wordsFor(slots));
      free.push(room);
    },
  };
};

const roomFor = (slots: number): Room => {
  const words = wordsFor(slots);
  const set = (): BitSet => new Uint32Array(words);
  return {
    base: new Float64Array(slots),
    feedback: new Float64Array(slots),
    blocks: { base: new Float64Array(words), feedback: new Float64Array(words) },
    met: set(),
    barred: set(),
    hidden: set(),
  };
};
