import type { LengthNormalisation } from './bm25.ts';
import { type BlockPostings, type BlockWork, addInBlock } from './block-terms.ts';

/** How far a block is scored: by the query in texts, in titles as well, and by the feedback. */
export const [BY_TEXTS, BY_TITLES, BY_FEEDBACK] = [1, 2, 3] as const;
export type Stage = 1 | 2 | 3;

/** What blocks are scored by. */
export interface BlockScoring {
  readonly work: BlockWork;
  /** The first slot of each segment. */
  readonly starts: readonly number[];
  readonly lengths: LengthNormalisation;
  readonly feedbackWeight: number;
  /** Blocks that have been scored so far. */
  readonly met: number[];
  /** Terms by segment. */
  readonly texts: readonly (readonly BlockPostings[])[];
  readonly titles: readonly (readonly BlockPostings[])[];
  readonly feedback: readonly (readonly BlockPostings[])[];
}

/**
 * Scores one block so far, if it is not already: what is added to a slot, and in which order, is the same as where all
 * slots are scored. Notes the highest scores of those that may be ranked.
 */
export const scoreBlock = (of: BlockScoring, block: number, upTo: Stage): void => {
  const { work, starts, lengths, feedbackWeight } = of;
  const { base, feedback, stages } = work;
  const stage = stages[block] as number;
  if (stage >= upTo) return;
  const segment = segmentAt(starts, block * 32);
  const within = block - (starts[segment] as number) / 32;
  const [from, to] = [block * 32, block * 32 + 32];
  if (stage < BY_TEXTS) {
    of.met.push(block);
    base.fill(0, from, to);
    addInBlock(base, of.texts[segment] ?? [], 'text', lengths, within);
  }
  if (stage < BY_TITLES && upTo >= BY_TITLES) {
    for (let slot = from; slot < to; slot++) feedback[slot] = (base[slot] as number) * feedbackWeight;
    addInBlock(base, of.titles[segment] ?? [], 'title', lengths, within);
  }
  if (upTo >= BY_FEEDBACK) addInBlock(feedback, of.feedback[segment] ?? [], 'text', lengths, within);
  stages[block] = upTo;
  work.blocks.base[block] = highestIn(work, base, block);
  if (upTo >= BY_FEEDBACK) work.blocks.feedback[block] = highestIn(work, feedback, block);
};

const highestIn = ({ matched, excluded }: BlockWork, sums: Float64Array, block: number): number => {
  let highest = 0;
  let ranked = (matched[block] as number) & ~(excluded[block] as number);
  for (; ranked !== 0; ranked &= ranked - 1) {
    const score = sums[block * 32 + 31 - Math.clz32(ranked & -ranked)] as number;
    if (score > highest) highest = score;
  }
  return highest;
};

/** The segment that a slot is of. */
const segmentAt = (starts: readonly number[], slot: number): number => {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= slot) low = middle;
    else high = middle;
  }
  return low;
};
