import { hasBit } from './bit-set.ts';
import { forEachRanked, type ScorePair, type ScoreTable } from './score-table.ts';

/** Contents by their numbers, and their scores in the same order. */
export interface TopHits {
  readonly nos: number[];
  readonly scores: number[];
}

/** Scores are rounded to its inverse. */
const UNIT = 1e9;
/** What is so close to the last place is kept until scores are rounded. */
export const MARGIN = 1e-6;

/**
 * The slots of the `limit` best contents that are to be answered, ascending, more where the last are close to each
 * other. A content's place is by the sum of its scores, each divided by the highest of its kind.
 *
 * @param known the place of the last of these, or a lower one, where the caller has it: what lies below is passed over
 */
export const topSlots = (table: ScoreTable, limit: number, known = Number.NEGATIVE_INFINITY): Uint32Array => {
  const { accumulators, highest } = table;
  const { base, feedback, hidden } = accumulators;
  const per: ScorePair = { base: inverse(highest.base), feedback: inverse(highest.feedback) };
  const top = createTopScores(limit);
  let least = known;
  const found: number[] = [];
  forEachRanked(
    table,
    (ofBlock) => ofBlock.base * per.base + ofBlock.feedback * per.feedback >= least - MARGIN,
    (slot) => {
      const place = (base[slot] as number) * per.base + (feedback[slot] as number) * per.feedback;
      if (place < least - MARGIN || hasBit(hidden, slot)) return;
      found.push(slot);
      top.offer(place);
      least = Math.max(known, top.least());
    },
  );
  return Uint32Array.from(found).filter(
    (slot) => (base[slot] as number) * per.base + (feedback[slot] as number) * per.feedback >= least - MARGIN,
  );
};

/** 0 where there is none. */
export const inverse = (highest: number): number => (highest > 0 ? 1 / highest : 0);

/**
 * The highest scores, more than `limit` where the last are equal, for ids to decide. Sums differ in their last digits
 * with their order; equal contents must score equally. So scores are rounded.
 */
export const topHits = (nos: Float64Array, scores: Float64Array, limit: number): TopHits => {
  const cut = smallestOfTop(scores, limit) - 2 / UNIT;
  const top: TopHits = { nos: [], scores: [] };
  for (let i = 0; i < nos.length; i++) {
    const score = scores[i] as number;
    if (score < cut) continue;
    top.nos.push(nos[i] as number);
    top.scores.push(Math.floor(score * UNIT + 0.5) / UNIT);
  }
  return top;
};

/** The score of the last of the `limit` best; -Infinity where there are no more. */
const smallestOfTop = (scores: Float64Array, limit: number): number => {
  const top = createTopScores(limit);
  for (const score of scores) top.offer(score);
  return top.least();
};

/**
 * The least of the `limit` highest of many scores that are offered one by one; -Infinity until there are as many. Keeps
 * a binary heap of that many, in which no score is above those at 2i+1 and 2i+2.
 */
export const createTopScores = (limit: number) => {
  const heap = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY);
  const sink = (score: number): void => {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child += 1;
      if ((heap[child] as number) >= score) break;
      heap[at] = heap[child] as number;
      at = child;
    }
    heap[at] = score;
  };
  return {
    offer: (score: number): void => {
      if (score > (heap[0] as number)) sink(score);
    },
    least: (): number => heap[0] ?? Number.NEGATIVE_INFINITY,
  };
};
