import { createBestScores } from './best-scores.ts';

/** Scores are rounded to its inverse. */
const UNIT = 1e9;

export interface BestHits {
  readonly nos: number[];
  readonly scores: number[];
}

/**
 * The highest scores, more than `limit` where the last are equal, for ids to decide. Sums differ in their last digits
 * with their order; equal contents must score equally. So scores are rounded.
 */
export const bestHits = (nos: Float64Array, scores: Float64Array, limit: number): BestHits => {
  const cut = smallestOfBest(scores, limit) - 2 / UNIT;
  const best: BestHits = { nos: [], scores: [] };
  for (let i = 0; i < nos.length; i++) {
    const score = scores[i] as number;
    if (score < cut) continue;
    best.nos.push(nos[i] as number);
    best.scores.push(Math.floor(score * UNIT + 0.5) / UNIT);
  }
  return best;
};

/** The score of the last of the `limit` best; -Infinity where there are no more. */
const smallestOfBest = (scores: Float64Array, limit: number): number => {
  const best = createBestScores(limit);
  for (const score of scores) best.offer(score);
  return best.least();
};
