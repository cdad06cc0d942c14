import { askedBy } from '../../../domain/answer/asked.ts';
import type { RankedSentence, Ranking } from '../../../domain/answer/rank-sentences.ts';

/** A statement at a place of the only passage, under its only heading. */
export const sentence = (place: number, other: Partial<RankedSentence> = {}): RankedSentence => ({
  passage: 0,
  place,
  text: `Sentence ${place}.`,
  terms: () => new Set(),
  matched: new Set(),
  section: 1,
  isStatement: true,
  defines: false,
  isDefinition: false,
  isOfKind: false,
  score: 1,
  level: 1,
  ...other,
});

/** Of these sentences, best first, and the passage that they stand in; in reading order unless given. */
export const madeRanking = (
  question: string,
  sentences: readonly RankedSentence[],
  text: readonly RankedSentence[] = sentences.toSorted((a, b) => a.place - b.place),
): Ranking => ({
  asked: askedBy(question),
  sentences,
  texts: [text],
  missing: new Set(),
  coverage: () => 1,
  neighbours: null,
});
