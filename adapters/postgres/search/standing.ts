import { type BitSet, hasBit } from './bit-set.ts';
import type { Room } from './rooms.ts';

/** Two scores. */
export interface Pair {
  readonly base: number;
  readonly feedback: number;
}

/** A ranking in the making. */
export interface Standing {
  readonly room: Room;
  /** How many slots are used. */
  readonly count: number;
  /** Whether there is a second score. */
  readonly hasFeedback: boolean;
  /** The slots that may yet be among the best, ascending; null: any may. */
  readonly contenders: Uint32Array | null;
}

/**
 * Notes the highest scores of each block of 32 slots, so that whole blocks can be passed over, and answers the highest
 * of all. What may not be ranked loses its scores.
 */
export const survey = ({ room, count, hasFeedback, contenders }: Standing): Pair => {
  const { base, feedback, blocks, met, barred } = room;
  const highest = (scores: Float64Array, ofBlocks: Float64Array): number =>
    contenders === null ? mostOf(scores, ofBlocks, met) : mostAmong(contenders, scores);
  for (let block = 0; block * 32 < count; block++) if (barred[block] !== 0) clearBarred(room, block);
  return { base: highest(base, blocks.base), feedback: hasFeedback ? highest(feedback, blocks.feedback) : 0 };
};

const mostAmong = (slots: Uint32Array, scores: Float64Array): number =>
  slots.reduce((most, slot) => Math.max(most, scores[slot] as number), 0);

/** The highest score; those of the blocks are written down. */
const mostOf = (scores: Float64Array, ofBlocks: Float64Array, met: BitSet): number => {
  let most = 0;
  for (let block = 0; block < met.length; block++) {
    if (met[block] === 0) continue;
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

const clearBarred = ({ base, feedback, barred }: Room, block: number): void => {
  for (let slot = block * 32; slot < block * 32 + 32; slot++) {
    if (!hasBit(barred, slot)) continue;
    base[slot] = 0;
    feedback[slot] = 0;
  }
};

/** All that may be ranked, but for blocks whose highest scores do not pass. */
export const forEachRanked = (
  { room, count, contenders }: Standing,
  passes: (highest: Pair) => boolean,
  use: (slot: number) => void,
): void => {
  const { met, barred, blocks } = room;
  if (contenders !== null) return contenders.forEach(use);
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
