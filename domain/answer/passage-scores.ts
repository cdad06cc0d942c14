import { askedBy } from './asked.ts';
import type { Passage } from './passage.ts';
import { bestScores } from './rank-sentences.ts';
import { readText } from './read-text.ts';
import { factorOfPlace } from './weights.ts';

/** How many terms a question has: names count as one, words that only join others do not count. */
export const termsAsked = (question: string): number => askedBy(question).terms.size;

/**
 * How well each passage answers the question by the best of its sentences: 0 to 1, where 1 is the best of these passages,
 * and 0 one without a term of the question. In the order of the passages, which are best first.
 */
export function passageScores(
  question: string,
  passages: readonly Passage[],
  read = readText,
): readonly number[] {
  const best = bestScores(question, passages, read);
  const highest = Math.max(...best);
  return best.map((score) => (highest > 0 ? score / highest : 0));
}

/**
 * The same scores where the passages come in another order: the place of each counts for its sentences, and nothing else of
 * them changes.
 *
 * @param places of the passages in that order
 */
export function scoresAtPlaces(scores: readonly number[], places: readonly number[]): readonly number[] {
  const moved = scores.map((score, i) => (score / factorOfPlace(i)) * factorOfPlace(places[i]!));
  const highest = Math.max(...moved);
  return moved.map((score) => (highest > 0 ? score / highest : 0));
}
