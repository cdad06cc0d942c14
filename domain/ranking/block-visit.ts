import { type BlockScoring, scoreBlock, type Stage } from './block-scores.ts';
import { highestBound, type BlockWork, rankedIn } from './block-terms.ts';

/** Steps by which bounds are told apart. */
const LEVELS = 512;

/** Some blocks, and the most that any of those has which were left out. */
interface OrderedBlocks {
  readonly order: Uint32Array;
  readonly rest: number;
}

/**
 * About so many blocks with the highest bounds, in this order or nearly so, of those that may be ranked, reach `least`, and
 * have not been visited: a counting sort, as most blocks are never looked at.
 *
 * @param most none that has not been visited has a higher bound
 */
const highestBlocks = (
  work: BlockWork,
  bounds: Float64Array,
  count: number,
  { least, most, visit, about }: { least: number; most: number; visit: number; about: number },
): OrderedBlocks => {
  const { visited, levels } = work;
  const from = Math.max(least, 0);
  const per = most > from ? (LEVELS - 1) / (most - from) : 0;
  const numbers = new Uint32Array(LEVELS);
  for (let block = 0; block < count; block++) {
    const bound = bounds[block] as number;
    // 0 stands for none.
    levels[block] = 0;
    if (bound < least || visited[block] === visit || rankedIn(work, block) === 0) continue;
    const level = LEVELS - (((bound - from) * per) | 0);
    levels[block] = level;
    numbers[level - 1] = (numbers[level - 1] as number) + 1;
  }
  let last = 0;
  let chosen = 0;
  // Where those of a level begin, for those that are chosen.
  for (; last < LEVELS && chosen < about; last++) {
    const inLevel = numbers[last] as number;
    numbers[last] = chosen;
    chosen += inLevel;
  }
  const order = new Uint32Array(chosen);
  for (let block = 0; block < count; block++) {
    const level = levels[block] as number;
    if (level === 0 || level > last) continue;
    const at = numbers[level - 1] as number;
    numbers[level - 1] = at + 1;
    order[at] = block;
  }
  // What was left out is in a level behind the last.
  const rest = last === LEVELS ? Number.NEGATIVE_INFINITY : per > 0 ? from + (LEVELS - last) / per : most;
  return { order, rest };
};

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
