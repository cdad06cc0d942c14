import { askedBy } from './asked.ts';
import type { Passage } from './passage.ts';
import { rankSentences } from './rank-sentences.ts';
import { readText } from './read-text.ts';

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
  const { sentences } = rankSentences(question, passages, read);
  const highest = sentences[0]?.score ?? 0;
  const best = new Map<number, number>();
  // Best first: the first of a passage is its best.
  for (const { passage, score } of sentences) if (!best.has(passage)) best.set(passage, score / highest);
  return passages.map((_, i) => best.get(i) ?? 0);
}
