import { withTitles } from '../../domain/ranking/titled.ts';
import type { SearchHit } from './search-request.ts';

/**
 * Puts pages that are called like the query first. Scores stay 0 to 1, and fall from one hit to the next.
 *
 * @param hits best first
 */
export const byTitles = (query: string, hits: readonly SearchHit[]): readonly SearchHit[] => {
  const scores = withTitles(
    query,
    hits.map(({ content, score }) => ({ page: content.sourceId, title: content.title, score })),
  );
  return hits.map((hit, i) => ({ ...hit, score: scores[i] ?? 0 })).toSorted((a, b) => b.score - a.score);
};
