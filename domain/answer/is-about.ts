import type { Asked } from './asked.ts';
import { evidenceOf, type Evidence } from './evidence.ts';
import type { Kind } from './kinds.ts';
import { isInPairs, isMostlyHeld } from './mostly-held.ts';
import type { UnwrittenWord } from '../ranking/unwritten.ts';
import type { Ranking } from './rank-sentences.ts';

/**
 * What each piece of evidence counts for, and how much there must be: a logistic regression over the questions of twenty-seven
 * manuals, which were asked of their own and of another manual. `npm run eval:refusals` fits it again; figures for
 * manuals that it did not know: docs/research/answers-without-a-model.md.
 */
export const WEIGHTS: Weights = {
  counts: {
    passage: 1.97,
    passages: 1.6,
    sentence: 0.81,
    best: 0.73,
    neighbours: 1.05,
    score: 3.47,
    lackOfKind: -2.32,
    lackOfNames: -1.89,
    lackOfWords: -0.6,
  },
  least: 5.52,
};
export type Weights = { readonly counts: Readonly<Record<keyof Evidence, number>>; readonly least: number };

/** Without somebody, a time, a number or money nothing tells who, when, how many or for how much; a default is told in many ways. */
const MUST_BE_SAID: ReadonlySet<Kind> = new Set(['person', 'time', 'number', 'price']);
const LACK_OF_KIND = 0.5;

/**
 * Whether the passages are likely to answer the question: by all evidence together, so that none alone decides, and people
 * may say things in other words. Questions in other languages, and in scripts without spaces, for which nothing was
 * measured, by how many of their terms are held.
 *
 * @param unwritten words that were searched for and are in no text
 */
export function isAbout(ranking: Ranking, unwritten: readonly UnwrittenWord[] = []): boolean {
  const { asked } = ranking;
  return isWeighed(asked) ? isEnough(evidenceOf(ranking, unwritten), asked.kind) : isMostlyHeld(ranking);
}

/** Whether evidence was measured for questions like this one. */
export const isWeighed = ({ isEnglish, subject }: Asked): boolean => isEnglish && !isInPairs(subject);

/** Whether the evidence is enough for an answer by these weights; but who, when and how many must be told. */
export function isEnough(evidence: Evidence, kind: Kind, { counts, least } = WEIGHTS): boolean {
  if (MUST_BE_SAID.has(kind) && evidence.lackOfKind >= LACK_OF_KIND) return false;
  // Where all speak of all that is asked, as on a small site about one thing, no term is rare, and scores say nothing.
  if (evidence.passages === 1 && evidence.best === 1) return true;
  return evidenceSum(evidence, counts) >= least;
}

/** All evidence together, each piece as much as it counts. */
export const evidenceSum = (evidence: Evidence, counts: Weights['counts']): number =>
  (Object.keys(counts) as (keyof Evidence)[]).reduce((sum, name) => sum + counts[name] * evidence[name], 0);
