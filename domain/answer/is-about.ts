import { evidenceOf, type Evidence } from './evidence.ts';
import type { Kind } from './kinds.ts';
import { isInPairs, isMostlyHeld } from './mostly-held.ts';
import type { Ranking } from './rank-sentences.ts';

/**
 * What each piece of evidence counts for, and how much there must be: a logistic regression over the questions of fifteen
 * manuals, which were asked of their own and of another manual, rounded. Figures for manuals that it did not know, and how to
 * fit it again: ADR 0138.
 */
const COUNTS: Readonly<Record<keyof Evidence, number>> = {
  passage: 3,
  passages: 2,
  sentence: 2.1,
  best: 1.4,
  neighbours: 1.1,
  score: 4,
  lackOfKind: -1.5,
};
const LEAST = 9.5;
/** Without somebody, a time or a number nothing tells who, when or how many; a default is told in many ways. */
const MUST_BE_SAID: ReadonlySet<Kind> = new Set(['person', 'time', 'number']);
const LACK_OF_KIND = 0.5;

/**
 * Whether the passages are likely to answer the question: by all evidence together, so that none alone decides, and people
 * may say things in other words; but who, when and how many must be told. Questions in other languages, and in scripts
 * without spaces, for which nothing was measured, by how many of their terms are held.
 */
export function isAbout(ranking: Ranking): boolean {
  const { subject, isEnglish, kind } = ranking.asked;
  if (!isEnglish || isInPairs(subject)) return isMostlyHeld(ranking);
  const evidence = evidenceOf(ranking);
  if (MUST_BE_SAID.has(kind) && evidence.lackOfKind >= LACK_OF_KIND) return false;
  // Where all speak of all that is asked, as on a small site about one thing, no term is rare, and scores say nothing.
  if (evidence.passages === 1 && evidence.best === 1) return true;
  const names = Object.keys(COUNTS) as (keyof Evidence)[];
  return names.reduce((sum, name) => sum + COUNTS[name] * evidence[name], 0) >= LEAST;
}
