import { ALIKE_OF, weightOfAlike, withAlike } from '../../domain/ranking/alike.ts';
import type { LikenessOf } from '../../domain/ranking/alike.ts';
import type { ComparedText } from '../../domain/ranking/likeness.ts';
import type { SearchHit } from './search-request.ts';

/**
 * Puts hits into the order that others like them speak for too, where the query is long and most pages have one hit.
 * Scores stay 0 to 1, and fall from one hit to the next.
 *
 * @param hits best first
 * @param terms of the query
 * @param compare texts with each other
 */
export const byLikeness = (
  hits: readonly SearchHit[],
  terms: number,
  compare: (texts: readonly ComparedText[]) => LikenessOf,
): readonly SearchHit[] => {
  const pages = hits.map(({ content }) => content.sourceId);
  const weight = weightOfAlike(terms, pages);
  if (weight === 0) return hits;
  const likeness = compare(hits.slice(0, ALIKE_OF).map(({ content }) => content));
  const scores = withAlike(hits, likeness, weight);
  return hits.map((hit, i) => ({ ...hit, score: scores[i] ?? 0 })).toSorted((a, b) => b.score - a.score);
};
