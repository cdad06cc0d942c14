import { passageScores } from '../../domain/answer/passage-scores.ts';
import type { ReadTextOf } from '../../domain/answer/read-text.ts';
import { afterLook, LOOKED_AT } from '../../domain/ranking/closer-look.ts';
import type { SearchHit } from './search-request.ts';

/**
 * Puts the first hits into the order that their best sentences speak for too; those behind follow as they were. Scores
 * stay 0 to 1, and fall from one hit to the next.
 *
 * @param hits best first
 * @param weight of the best sentence, 0 to leave all as it is
 * @param read reads their texts
 */
export const lookCloser = (
  query: string,
  hits: readonly SearchHit[],
  weight: number,
  read: ReadTextOf,
): readonly SearchHit[] => {
  if (weight === 0) return hits;
  const bySentence = passageScores(
    query,
    hits.slice(0, LOOKED_AT).map(({ content }) => content),
    read,
  );
  return hits
    .map((hit, i) => ({ ...hit, score: afterLook(hit.score, bySentence[i] ?? 0, weight) }))
    .toSorted((a, b) => b.score - a.score);
};
