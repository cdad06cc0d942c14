import type { Accumulators } from './accumulators.ts';
import { hasBit } from './bit-set.ts';
import type { SlotLayout } from './slot-layout.ts';

/** Two scores. */
export interface ScorePair {
  readonly base: number;
  readonly feedback: number;
}

/** Scores that are being added up, and whose slots they are. */
export interface OpenScores {
  readonly slots: SlotLayout;
  readonly accumulators: Accumulators;
}

/** Scores that have been added up. */
export interface ScoreTable extends OpenScores {
  /** The highest score of each kind that may be ranked, 0 where there is none. */
  readonly highest: ScorePair;
}

/**
 * Answers the highest score of one kind, and notes that of each block of 32 slots, so that whole blocks can be passed
 * over. What may not be ranked loses its scores.
 */
export const findHighest = (
  { accumulators, slots: { count } }: OpenScores,
  kind: keyof ScorePair,
): number => {
  const { blocks, matched, excluded } = accumulators;
  const [scores, ofBlocks] = [accumulators[kind], blocks[kind]];
  let highest = 0;
  for (let block = 0; block * 32 < count; block++) {
    if (matched[block] === 0) continue;
    if (excluded[block] !== 0) clearExcluded(scores, accumulators, block);
    let highestHere = 0;
    for (let slot = block * 32; slot < block * 32 + 32; slot++) {
      const score = scores[slot] as number;
      if (score > highestHere) highestHere = score;
    }
    ofBlocks[block] = highestHere;
    if (highestHere > highest) highest = highestHere;
  }
  return highest;
};

const clearExcluded = (scores: Float64Array, { excluded }: Accumulators, block: number): void => {
  for (let slot = block * 32; slot < block * 32 + 32; slot++) if (hasBit(excluded, slot)) scores[slot] = 0;
};

/** Visits all that may be ranked, except for blocks whose highest scores do not pass. */
export const forEachRanked = (
  { accumulators, slots: { count } }: ScoreTable,
  passes: (highest: ScorePair) => boolean,
  visit: (slot: number) => void,
): void => {
  const { matched, excluded, blocks } = accumulators;
  const highest = { base: 0, feedback: 0 };
  for (let block = 0; block * 32 < count; block++) {
    let ranked = (matched[block] as number) & ~(excluded[block] as number);
    if (ranked === 0) continue;
    highest.base = blocks.base[block] as number;
    highest.feedback = blocks.feedback[block] as number;
    if (!passes(highest)) continue;
    for (; ranked !== 0; ranked &= ranked - 1) visit(block * 32 + 31 - Math.clz32(ranked & -ranked));
  }
};
