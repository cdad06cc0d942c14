import type { Accumulators } from './accumulators.ts';
import { hasBit } from './bit-set.ts';
import type { SlotLayout, SlottedPostings } from './segment-slots.ts';

/** Two scores. */
export interface ScorePair {
  readonly base: number;
  readonly feedback: number;
}

/** Scores that are being added up, and whose slots they are. */
export interface OpenScores {
  readonly slots: SlotLayout;
  readonly accumulators: Accumulators;
  /** Blocks of 32 slots that have been scored, ascending, where they are not all. */
  readonly only?: readonly number[];
}

/** Scores that have been added up. */
export interface ScoreTable extends OpenScores {
  /** The highest score of each kind that may be ranked, 0 where there is none. */
  readonly highest: ScorePair;
}

/**
 * Answers the highest score of one kind of those that may be ranked, and notes that of each block of 32 slots, so that
 * whole blocks can be passed over. Of most questions a third of the contents has a term: only these are looked at.
 */
export const findHighest = (
  { accumulators, slots: { count } }: OpenScores,
  kind: keyof ScorePair,
): number => {
  const { blocks, matched, excluded } = accumulators;
  const [scores, ofBlocks] = [accumulators[kind], blocks[kind]];
  let highest = 0;
  for (let block = 0; block * 32 < count; block++) {
    let ranked = (matched[block] as number) & ~(excluded[block] as number);
    if (ranked === 0) continue;
    const last = block * 32 + 31;
    let highestHere = 0;
    for (; ranked !== 0; ranked &= ranked - 1) {
      const score = scores[last - Math.clz32(ranked & -ranked)] as number;
      if (score > highestHere) highestHere = score;
    }
    ofBlocks[block] = highestHere;
    if (highestHere > highest) highest = highestHere;
  }
  return highest;
};

/** The same for the first kind, after the scores of these postings have grown. @param highest the highest score before */
export const findHigher = (
  { accumulators }: OpenScores,
  highest: number,
  { start, slots }: SlottedPostings,
): number => {
  const { base, blocks, excluded } = accumulators;
  let higher = highest;
  for (let i = 0; i < slots.length; i++) {
    const slot = start + (slots[i] as number);
    const score = base[slot] as number;
    const block = slot >>> 5;
    if (score <= (blocks.base[block] as number) || hasBit(excluded, slot)) continue;
    blocks.base[block] = score;
    if (score > higher) higher = score;
  }
  return higher;
};

/** Begins the second score of those that may be ranked with so much of the first. */
export const carryOver = ({ accumulators, slots: { count } }: OpenScores, weight: number): void => {
  const { base, feedback, matched, excluded } = accumulators;
  for (let block = 0; block * 32 < count; block++) {
    const last = block * 32 + 31;
    let ranked = (matched[block] as number) & ~(excluded[block] as number);
    for (; ranked !== 0; ranked &= ranked - 1) {
      const slot = last - Math.clz32(ranked & -ranked);
      feedback[slot] = (base[slot] as number) * weight;
    }
  }
};

/** Visits all that have been scored and may be ranked, except for blocks whose highest scores do not pass. */
export const forEachRanked = (
  { accumulators, slots: { count }, only }: ScoreTable,
  passes: (highest: ScorePair) => boolean,
  visit: (slot: number) => void,
): void => {
  const { matched, excluded, blocks } = accumulators;
  const highest = { base: 0, feedback: 0 };
  const end = only?.length ?? count / 32;
  for (let i = 0; i < end; i++) {
    const block = only === undefined ? i : (only[i] as number);
    let ranked = (matched[block] as number) & ~(excluded[block] as number);
    if (ranked === 0) continue;
    highest.base = blocks.base[block] as number;
    highest.feedback = blocks.feedback[block] as number;
    if (!passes(highest)) continue;
    for (; ranked !== 0; ranked &= ranked - 1) visit(block * 32 + 31 - Math.clz32(ranked & -ranked));
  }
};
