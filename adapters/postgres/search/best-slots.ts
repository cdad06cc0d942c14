import { createBestScores } from './best-scores.ts';
import { hasBit } from './bit-set.ts';
import { forEachRanked, type Pair, type Standing } from './standing.ts';

/** Scores are rounded to a billionth in the end; what is so close to the last place is kept. */
const MARGIN = 1e-6;

/**
 * The slots of the `limit` best contents that are to be answered, ascending, more where the last are close to each
 * other. A content's place is by the sum of its scores, each divided by the highest of its kind.
 */
export const bestSlots = (standing: Standing, limit: number): Uint32Array => {
  const { room, most } = standing;
  const { base, feedback, hidden } = room;
  const per: Pair = { base: inverse(most.base), feedback: inverse(most.feedback) };
  const best = createBestScores(limit);
  let least = best.least();
  const found: number[] = [];
  forEachRanked(
    standing,
    (highest) => highest.base * per.base + highest.feedback * per.feedback >= least - MARGIN,
    (slot) => {
      const place = (base[slot] as number) * per.base + (feedback[slot] as number) * per.feedback;
      if (place < least - MARGIN || hasBit(hidden, slot)) return;
      found.push(slot);
      best.offer(place);
      least = best.least();
    },
  );
  return Uint32Array.from(found).filter(
    (slot) => (base[slot] as number) * per.base + (feedback[slot] as number) * per.feedback >= least - MARGIN,
  );
};

const inverse = (most: number): number => (most > 0 ? 1 / most : 0);
