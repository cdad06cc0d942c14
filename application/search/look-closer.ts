import { passageScores, scoresAtPlaces } from '../../domain/answer/passage-scores.ts';
import { phraseScores } from '../../domain/answer/phrase-scores.ts';
import type { ReadTextOf } from '../../domain/answer/read-text.ts';
import { afterLook, LOOKED_AT } from '../../domain/ranking/closer-look.ts';
import type { SearchHit } from './search-request.ts';

/**
 * Puts the first hits into the order that phrases of the query, and then their best sentences, speak for too; those
 * behind follow as they were. Sentences of hits further up count for more. So where there is a second look, the order of the
 * first tells the places by which they count. Scores stay 0 to 1, and fall from one hit to the next.
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
  const { sentence, again } = weights;
  let scores: readonly number[] = [];
  const once = judged(byPhrases, sentence, (texts) => (scores = passageScores(query, texts, read)));
  if (sentence === 0 || again === 0) return once;
  const places = placesOf(byPhrases.slice(0, LOOKED_AT), once);
  return judged(byPhrases, again, () => scoresAtPlaces(scores, places));
};

/** What the phrases of the query, and the best sentence of a hit, count beside its score; and this in a second look. */
export interface LookWeights {
  readonly phrases: number;
  readonly sentence: number;
  readonly again: number;
}

/** Where these hits stand in an order, counted among themselves. */
const placesOf = (hits: readonly SearchHit[], order: readonly SearchHit[]): readonly number[] => {
  const looked = new Set(hits.map(({ content }) => content.id));
  const ids = order.flatMap(({ content }) => (looked.has(content.id) ? [content.id] : []));
  const places = new Map(ids.map((id, place) => [id, place]));
  return hits.map(({ content }) => places.get(content.id)!);
};

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
