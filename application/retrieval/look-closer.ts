import { passageScores } from '../../domain/answer/passage-scores.ts';
import { phraseScores } from '../../domain/answer/phrase-scores.ts';
import type { ReadTextOf } from '../../domain/answer/read-text.ts';
import { afterLook, LOOKED_AT } from '../../domain/ranking/closer-look.ts';
import type { SearchHit } from './search-request.ts';

/**
 * Puts the first hits into the order that phrases of the query, and then their best sentences, speak for too; those
 * behind follow as they were. Scores stay 0 to 1, and fall from one hit to the next.
 *
 * @param hits best first
 * @param weights 0 to leave all as it is
 * @param read reads their texts
 */
export const lookCloser = (
  query: string,
  hits: readonly SearchHit[],
  weights: LookWeights,
  read: ReadTextOf,
): readonly SearchHit[] => {
  const byPhrases = judged(hits, weights.phrases, (texts) => phraseScores(query, texts, read));
  return judged(byPhrases, weights.sentence, (texts) => passageScores(query, texts, read));
};

/** What the phrases of the query, and the best sentence of a hit, count beside its score. */
export interface LookWeights {
  readonly phrases: number;
  readonly sentence: number;
}

const judged = (
  hits: readonly SearchHit[],
  weight: number,
  judge: (texts: readonly SearchHit['content'][]) => readonly number[],
): readonly SearchHit[] => {
  if (weight === 0) return hits;
  const scores = judge(hits.slice(0, LOOKED_AT).map(({ content }) => content));
  return hits
    .map((hit, i) => ({ ...hit, score: afterLook(hit.score, scores[i] ?? 0, weight) }))
    .toSorted((a, b) => b.score - a.score);
};
