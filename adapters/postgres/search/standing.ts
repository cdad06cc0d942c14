import { hasBit } from './bit-set.ts';
import type { Room } from './rooms.ts';
import type { Slots } from './slots.ts';

/** Two scores. */
export interface Pair {
  readonly base: number;
  readonly feedback: number;
}

/** What is added up in which slots. */
export interface Work {
  readonly slots: Slots;
  readonly room: Room;
}

/** What has been added up. */
export interface Standing extends Work {
  /** The highest score of each kind that may be ranked, 0 where there is none. */
  readonly most: Pair;
}

/**
 * Answers the highest score of one kind, and notes that of each block of 32 slots, so that whole blocks can be passed
 * over. What may not be ranked loses its scores.
 */
export const survey = ({ room, slots: { count } }: Work, kind: keyof Pair): number => {
  const { blocks, met, barred } = room;
  const [scores, ofBlocks] = [room[kind], blocks[kind]];
  let most = 0;
  for (let block = 0; block * 32 < count; block++) {
    if (met[block] === 0) continue;
    if (barred[block] !== 0) clearBarred(scores, room, block);
    let mostHere = 0;
    for (let slot = block * 32; slot < block * 32 + 32; slot++) {
      const score = scores[slot] as number;
      if (score > mostHere) mostHere = score;
    }
    ofBlocks[block] = mostHere;
    if (mostHere > most) most = mostHere;
  }
  return most;
};

const clearBarred = (scores: Float64Array, { barred }: Room, block: number): void => {
  for (let slot = block * 32; slot < block * 32 + 32; slot++) if (hasBit(barred, slot)) scores[slot] = 0;
};

/** All that may be ranked, but for blocks whose highest scores do not pass. */
export const forEachRanked = (
  { room, slots: { count } }: Standing,
  passes: (highest: Pair) => boolean,
  use: (slot: number) => void,
): void => {
  const { met, barred, blocks } = room;
  const highest = { base: 0, feedback: 0 };
  for (let block = 0; block * 32 < count; block++) {
    let ranked = (met[block] as number) & ~(barred[block] as number);
    if (ranked === 0) continue;
    highest.base = blocks.base[block] as number;
    highest.feedback = blocks.feedback[block] as number;
    if (!passes(highest)) continue;
    for (; ranked !== 0; ranked &= ranked - 1) use(block * 32 + 31 - Math.clz32(ranked & -ranked));
  }
};
