import { withDefinitions } from '../../domain/ranking/defined.ts';
import type { SearchHit } from './search-request.ts';

/**
 * Puts hits forward that define what the query names. Scores stay 0 to 1 and fall from one hit to the next; those of
 * other hits stay what they are, so that a least score passes the same of them.
 *
 * @param hits best first
 * @param weight 0 to leave all as it is
 */
export const byDefinitions = (
  query: string,
  hits: readonly SearchHit[],
  weight: number,
): readonly SearchHit[] => {
  const places = withDefinitions(
    query,
    hits.map(({ content, score }) => ({ text: content.text, score })),
    weight,
  );
  return hits
    .map((hit, i) => ({ hit, place: places[i] ?? 0 }))
    .toSorted((a, b) => b.place - a.place)
    .map(({ hit, place }) => ({ ...hit, score: Math.min(1, place) }));
};
