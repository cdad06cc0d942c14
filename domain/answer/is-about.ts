import type { Asked } from './asked.ts';
import { speaksOfOtherThings } from './passages-held.ts';
import type { Ranking } from './rank-sentences.ts';

/** Below this share of the question, the sentences are about something else. */
const LEAST_COVERAGE = 0.5;
/** Some terms of a longer question may be missing: people say things in other words. */
const FEW_TERMS = 3;
const MISSING_SHARE = 1 / 3;
const LEAST_SHARE = 0.5;
const LEAST_OF_PAIRS = 0.3;
const LEAST_OF_KIND = 0.3;
/** Names of people and moments stand in many sentences: one of them must hold more than half of the question. */
const LEAST_OF_PERSON_OR_TIME = 0.51;
/** What is done to one thing alone may be anything: where two are left, a statement about both tells how, in its own words. */
const LEAST_OF_OTHERS = 2;
/** Rounding aside, all of the subject. */
const WHOLE = 0.99;
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
/** Of a question with more terms, no single sentence holds as much. */
const MANY_TERMS = 4;
/** The best sentence for the question as a whole need not be the one that holds most of its terms. */
const LOOKED_AT = 5;

/**
 * Whether the passages hold what the question is about: all of its terms, or all but a third of more than three; and one
 * of the best sentences most of them, the fewer the longer the question is, and what is of the kind that is asked for. The
 * sort of thing that is asked for may go unsaid, and so may what is said vaguely, and the words of a default or a
 * difference, where one of the best sentences holds all else; a place is told in any words. What is to be done may be said
 * in other words, where a statement speaks of the rest; but see `speaksOfOtherThings`.
 */
export function isAbout(ranking: Ranking): boolean {
  const { sentences, coverage, asked, missing } = ranking;
  if (speaksOfOtherThings(ranking)) return false;
  const others = asked.subject.difference(asked.deed);
  const isToldOtherwise = asked.deed.size > 0 && others.difference(missing).size >= LEAST_OF_OTHERS;
  const named = isToldOtherwise ? others : asked.subject;
  const subject = named.difference(missing.intersection(asked.sort.union(asked.vague)));
  if (subject.size === 0) return false;
  const words = [...missing.intersection(subject)].filter((term) => !UNSPACED.test(term));
  if (words.length > mayBeMissing(subject.size, asked.isEnglish)) return false;
  const near = sentences.slice(0, LOOKED_AT);
  const whole = coverage(subject.difference(new Set(words))) || 1;
  const shares = near.map(({ matched }) => coverage(matched.intersection(subject)) / whole);
  const spread = spreadOf(subject);
  const least = isInPairs(subject) ? LEAST_OF_PAIRS : LEAST_COVERAGE;
  return (
    near.some(
      ({ matched, isStatement }, i) =>
        shares[i]! * spread >= least && holdsMost(matched, subject) && (isStatement || !isToldOtherwise),
    ) &&
    (asked.kind === 'place' ||
      near.some(({ isOfKind }, i) => isOfKind && shares[i]! * spread >= leastOfKind(asked)) ||
      (mayGoUnsaid(asked) && words.length === 0 && subject.size > 1 && shares.some((share) => share > WHOLE)))
  );
}

const leastOfKind = ({ kind }: Asked): number =>
  kind === 'person' || kind === 'time' ? LEAST_OF_PERSON_OR_TIME : LEAST_OF_KIND;

/** Defaults and differences are told in many ways, where everything else that is asked about stands together. */
const mayGoUnsaid = ({ kind }: Asked): boolean => kind === 'default' || kind === 'difference';

const mayBeMissing = (terms: number, isEnglish: boolean): number =>
  terms > (isEnglish ? FEW_TERMS : 1) ? Math.max(1, Math.floor(terms * MISSING_SHARE)) : 0;

const spreadOf = (subject: ReadonlySet<string>): number => Math.max(1, subject.size / MANY_TERMS);

const holdsMost = (matched: ReadonlySet<string>, subject: ReadonlySet<string>): boolean =>
  isInPairs(subject) || matched.intersection(subject).size > (subject.size * LEAST_SHARE) / spreadOf(subject);

/** In scripts without spaces terms are pairs of characters, of which many only join words. */
const isInPairs = (terms: ReadonlySet<string>): boolean =>
  [...terms].filter((term) => UNSPACED.test(term)).length > terms.size / 2;
