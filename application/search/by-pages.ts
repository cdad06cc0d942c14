import { withPages } from '../../domain/ranking/page-evidence.ts';
import type { SearchHit } from './search-request.ts';

/**
 * Puts hits into the order that their pages speak for too. Scores stay 0 to 1, and fall from one hit to the next.
 *
 * @param hits best first
 * @param weight of a page, 0 to leave all as it is
 */
export const byPages = (hits: readonly SearchHit[], weight: number): readonly SearchHit[] => {
  if (weight === 0) return hits;
  const scores = withPages(hits, ({ content }) => content.sourceId, weight);
  return hits.map((hit, i) => ({ ...hit, score: scores[i] ?? 0 })).toSorted((a, b) => b.score - a.score);
};
