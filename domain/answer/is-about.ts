import type { Asked } from './asked.ts';
import { evidenceOf, type Evidence } from './evidence.ts';
import type { Kind } from './kinds.ts';
import type { UnwrittenWord } from '../ranking/unwritten.ts';
import type { Ranking } from './rank-sentences.ts';

/** Of the terms, what one of the best sentences must hold; in pairs of characters fewer. */
const MIN_SHARE = 0.5;
const MIN_OF_PAIRS = 0.3;
/** Of more terms, some may be missing: people say things in other words. In other languages of fewer, for inflections. */
const FEW_TERMS = 3;
const MISSING_SHARE = 1 / 3;
/** Of a question with more terms, no single sentence holds as much. */
const MANY_TERMS = 4;
/** The best sentence for the question as a whole need not be the one that holds most of its terms. */
const LOOKED_AT = 5;
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

/**
 * Whether the passages hold all terms of the subject, or all but a third of several; and one of the best sentences most of
 * them, the fewer the longer the question is.
 */
function isMostlyHeld({ sentences, asked, missing }: Ranking): boolean {
  const { subject, isEnglish } = asked;
  const words = [...missing.intersection(subject)].filter((term) => !UNSPACED.test(term));
  if (words.length > mayBeMissing(subject.size, isEnglish)) return false;
  const least = isInPairs(subject) ? MIN_OF_PAIRS * (subject.size - words.length) : MIN_SHARE * subject.size;
  const spread = Math.max(1, subject.size / MANY_TERMS);
  return sentences
    .slice(0, LOOKED_AT)
    .some(({ matched }) => matched.intersection(subject).size * spread > least);
}

const mayBeMissing = (terms: number, isEnglish: boolean): number =>
  terms > (isEnglish ? FEW_TERMS : 1) ? Math.max(1, Math.floor(terms * MISSING_SHARE)) : 0;

/** In scripts without spaces terms are pairs of characters, of which many only join words. */
const isInPairs = (terms: ReadonlySet<string>): boolean =>
  [...terms].filter((term) => UNSPACED.test(term)).length > terms.size / 2;

/**
 * What each piece of evidence counts for, and how much there must be: a logistic regression over the questions of twenty-seven
 * manuals, which were asked of their own and of another manual. How it was fitted, and figures for manuals that it did not
 * know: docs/research/answers-without-a-model.md.
 */
const WEIGHTS: Weights = {
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
type Weights = { readonly counts: Readonly<Record<keyof Evidence, number>>; readonly least: number };

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
const isWeighed = ({ isEnglish, subject }: Asked): boolean => isEnglish && !isInPairs(subject);

/** Whether the evidence is enough for an answer by these weights; but who, when and how many must be told. */
function isEnough(evidence: Evidence, kind: Kind, { counts, least } = WEIGHTS): boolean {
  if (MUST_BE_SAID.has(kind) && evidence.lackOfKind >= LACK_OF_KIND) return false;
  // Where all speak of all that is asked, as on a small site about one thing, no term is rare, and scores say nothing.
  if (evidence.passages === 1 && evidence.best === 1) return true;
  return evidenceSum(evidence, counts) >= least;
}

/** All evidence together, each piece as much as it counts. */
const evidenceSum = (evidence: Evidence, counts: Weights['counts']): number =>
  (Object.keys(counts) as (keyof Evidence)[]).reduce((sum, name) => sum + counts[name] * evidence[name], 0);
