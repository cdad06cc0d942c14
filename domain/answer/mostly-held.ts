import type { Ranking } from './rank-sentences.ts';

/** Of the terms, what one of the best sentences must hold; in pairs of characters fewer. */
const LEAST_SHARE = 0.5;
const LEAST_OF_PAIRS = 0.3;
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
export function isMostlyHeld({ sentences, asked, missing }: Ranking): boolean {
  const { subject, isEnglish } = asked;
  const words = [...missing.intersection(subject)].filter((term) => !UNSPACED.test(term));
  if (words.length > mayBeMissing(subject.size, isEnglish)) return false;
  const least = isInPairs(subject)
    ? LEAST_OF_PAIRS * (subject.size - words.length)
    : LEAST_SHARE * subject.size;
  const spread = Math.max(1, subject.size / MANY_TERMS);
  return sentences
    .slice(0, LOOKED_AT)
    .some(({ matched }) => matched.intersection(subject).size * spread > least);
}

const mayBeMissing = (terms: number, isEnglish: boolean): number =>
  terms > (isEnglish ? FEW_TERMS : 1) ? Math.max(1, Math.floor(terms * MISSING_SHARE)) : 0;

/** In scripts without spaces terms are pairs of characters, of which many only join words. */
export const isInPairs = (terms: ReadonlySet<string>): boolean =>
  [...terms].filter((term) => UNSPACED.test(term)).length > terms.size / 2;
