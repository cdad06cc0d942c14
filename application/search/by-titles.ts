import { withTitles } from '../../domain/ranking/titled.ts';
import type { SearchHit } from './search-request.ts';

/**
 * Puts pages that are called like the query first. Scores stay 0 to 1 and fall from one hit to the next; those of other
 * hits stay what they are, so that a least score passes the same of them.
 *
 * @param hits best first
 */
export const byTitles = (query: string, hits: readonly SearchHit[]): readonly SearchHit[] => {
  const places = withTitles(
    query,
    hits.map(({ content, score }) => ({
      page: content.sourceId,
      title: content.title,
      url: content.url,
      score,
    })),
  );
  return hits
    .map((hit, i) => ({ hit, place: places[i] ?? 0 }))
    .toSorted((a, b) => b.place - a.place)
    .map(({ hit, place }) => ({ ...hit, score: Math.min(1, place) }));
};
