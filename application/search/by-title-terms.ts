import type { TitleScores } from '../../domain/answer/title-scores.ts';
import { afterLook } from '../../domain/ranking/closer-look.ts';
import { TITLED_OF } from '../../domain/ranking/titled.ts';
import type { SearchHit } from './search-request.ts';

/**
 * Puts the first hits into the order that the titles of their pages speak for too. Scores stay 0 to 1, and fall from one hit to
 * the next.
 *
 * @param hits best first
 * @param weight 0 to leave all as it is
 * @param titleScores reads their titles
 */
export const byTitleTerms = (
  query: string,
  hits: readonly SearchHit[],
  weight: number,
  titleScores: TitleScores,
): readonly SearchHit[] => {
  if (weight === 0) return hits;
  const first = hits.slice(0, TITLED_OF);
  const scores = titleScores(
    query,
    first.map(({ content }) => content),
  );
  return hits
    .map((hit, i) => ({ ...hit, score: afterLook(hit.score, scores[i] ?? 0, weight) }))
    .toSorted((a, b) => b.score - a.score);
};
