import { highestBlocks } from './block-order.ts';
import { type BlockScoring, scoreBlock, type Stage } from './block-scores.ts';
import { highestBound } from './block-work.ts';

/** Why blocks are looked at. */
export interface Visit {
  /** Another number for each visit of a search, from 1. */
  readonly nth: number;
  /** The most that a slot of each block can have. */
  readonly bounds: Float64Array;
  readonly stage: Stage;
  /** What has less can no longer change the answer. It never becomes less. */
  readonly least: () => number;
  /** Takes what it wants of a block that has been scored. */
  readonly see: (block: number) => void;
}

/** Blocks that are ordered together at first, and how many times more are each time after that. */
const [FIRST, MORE] = [128, 8];
/** Blocks that are scored between two looks at the time. */
const AT_ONCE = 64;

/** Scores blocks, those that were scored before first, then from the highest bound on until no other reaches. */
export const visitBlocks = function* (scoring: BlockScoring, count: number, visit: Visit): Generator<void> {
  const { work, met } = scoring;
  const { nth, bounds, stage, see } = visit;
  let seen = 0;
  let least = visit.least();
  const look = (block: number): boolean => {
    work.visited[block] = nth;
    if ((bounds[block] as number) < least) return false;
    scoreBlock(scoring, block, stage);
    see(block);
    least = visit.least();
    return (seen += 1) % AT_ONCE === 0;
  };
  // Scoring them does not add to them.
  for (const block of met) if (look(block)) yield;
  let most = highestBound(bounds, count);
  // No bound is negative: that stands for no block at all, as `least` may be lower than any.
  for (let about = FIRST; most >= Math.max(least, 0); about *= MORE) {
    const { order, rest } = highestBlocks(work, bounds, count, { least, most, visit: nth, about });
    for (const block of order) if (look(block)) yield;
    most = rest;
  }
};
