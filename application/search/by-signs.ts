import { withSigns } from '../../domain/ranking/as-typed.ts';
import type { SearchHit } from './search-request.ts';

/**
 * Puts hits forward that have words with signs as they were typed. Scores stay 0 to 1 and fall from one hit to the next; those
 * of other hits stay what they are.
 *
 * @param hits best first
 */
export const bySigns = (query: string, hits: readonly SearchHit[]): readonly SearchHit[] => {
  const places = withSigns(
    query,
    hits.map(({ content, score }) => ({ text: content.text, score })),
  );
  return hits
    .map((hit, i) => ({ hit, place: places[i] ?? 0 }))
    .toSorted((a, b) => b.place - a.place)
    .map(({ hit, place }) => ({ ...hit, score: Math.min(1, place) }));
};
