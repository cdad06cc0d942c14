import type { OpenScores, ScorePair } from './score-table.ts';
import { type TopHits, topHits, topSlots } from './top-k.ts';

/**
 * The best contents by the sum of both scores: half of each, divided by the highest of its kind.
 *
 * @param least see `topSlots`
 */
export const topOf = (open: OpenScores, highest: ScorePair, limit: number, least?: number): TopHits => {
  const { base, feedback } = open.accumulators;
  const found = topSlots({ ...open, highest }, limit, least);
  const perBase = highest.base > 0 ? 0.5 / highest.base : 0;
  const perFeedback = highest.feedback > 0 ? 0.5 / highest.feedback : 0;
  const nos = Float64Array.from(found, (slot) => open.slots.noOf(slot));
  const scores = Float64Array.from(
    found,
    (slot) => (base[slot] as number) * perBase + (feedback[slot] as number) * perFeedback,
  );
  return topHits(nos, scores, limit);
};
