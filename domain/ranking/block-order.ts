import { type BlockWork, rankedIn } from './block-work.ts';

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
export const highestBlocks = (
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
