import { COMMON_TERMS, termOf } from './terms.ts';
import type { UnwrittenWord } from '../ranking/unwritten.ts';
import type { Kind } from './kinds.ts';
import type { RankedSentence, Ranking } from './rank-sentences.ts';
import { rarity } from './weights.ts';

/** How much speaks for it that passages answer a question. Shares, from 0 to 1, are of the terms of its subject. */
export type Evidence = {
  /** What one passage holds at most: on a small site nothing else may speak of it. */
  readonly passage: number;
  /** What the passages hold that hold most, on average. */
  readonly passages: number;
  /** What one sentence holds at most, with the headings and the title that it stands under. */
  readonly sentence: number;
  /** What the best sentence holds, the same way. */
  readonly best: number;
  /** Of its neighbouring terms, what stands next to each other; half where there are none. */
  readonly neighbours: number;
  /** The logarithm of one and the score of the best sentence, in weights of a term that no piece has: the same for few texts. */
  readonly score: number;
  /** How much less the sentences of the kind that is asked for hold at most than any do; 0 where any words tell it. */
  readonly lackOfKind: number;
  /** Where it calls something by name: half where no sentence holds all names, and half where the passage of the best lacks one. */
  readonly lackOfNames: number;
  /** One where a word of the subject is in no text that could be found; half where all these are common words of the language. */
  readonly lackOfWords: number;
};

/** More passages than these are as good as these: the last of many are often about something else. */
const PASSAGES = 5;
/** What a word counts that may stand in any question, of another. */
const COMMON = 0.15;
const UNKNOWN = 0.5;
/** A place and a difference are told in many ways. */
const IN_ANY_WORDS: ReadonlySet<Kind> = new Set(['other', 'place', 'difference']);

/**
 * Of a question with a sentence that holds one of its terms. Each term counts alike, but for common words, and the sort of thing
 * that is asked for where it goes unsaid, as a page about the dipper need not say that it is a bird: what the search
 * found is full of what was asked for, so that rare in it is what was said beside.
 */
export function evidenceOf(
  { asked, sentences, texts, neighbours, missing }: Ranking,
  unwritten: readonly UnwrittenWord[] = [],
): Evidence {
  const { subject, sort, kind, called } = asked;
  const unsaid = missing.intersection(sort);
  const share = shareOf(subject, (term) => COMMON_TERMS.has(term) || unsaid.has(term));
  const ofPassages = texts
    .map((text) => share(...text.map(({ matched }) => matched)))
    .toSorted((a, b) => b - a)
    .slice(0, PASSAGES);
  const shares = sentences.map(({ matched }) => share(matched));
  const highest = most(shares);
  const ofKind = shares.filter((_, i) => sentences[i]!.isOfKind);
  const lacks = (...held: readonly RankedSentence[]): boolean =>
    [...called].some((name) => held.every(({ matched }) => !matched.has(name)));
  const best = texts[sentences[0]?.passage ?? 0] ?? [];
  const pieces = texts.reduce((sum, { length }) => sum + length, 0);
  return {
    passage: ofPassages[0] ?? 0,
    passages: ofPassages.reduce((sum, one) => sum + one, 0) / (ofPassages.length || 1),
    sentence: highest,
    best: shares[0] ?? 0,
    neighbours: neighbours ?? UNKNOWN,
    score: Math.log1p((sentences[0]?.score ?? 0) / rarity(0, pieces)),
    lackOfKind: IN_ANY_WORDS.has(kind) ? 0 : highest - most(ofKind),
    lackOfNames:
      called.size === 0 ? 0 : (sentences.every((one) => lacks(one)) ? 0.5 : 0) + (lacks(...best) ? 0.5 : 0),
    lackOfWords: most(
      unwritten
        .filter(({ word }) => missing.has(termOf(word) ?? ''))
        .map(({ isOfLanguage }) => (isOfLanguage ? 0.5 : 1)),
    ),
  };
}

/** Of these terms, what is in one of the sets. Written out: there are hundreds of sentences for each question. */
function shareOf(
  subject: ReadonlySet<string>,
  saysLittle: (term: string) => boolean,
): (...held: readonly ReadonlySet<string>[]) => number {
  const weights = [...subject].map((term) => ({ term, weight: saysLittle(term) ? COMMON : 1 }));
  const whole = weights.reduce((sum, { weight }) => sum + weight, 0);
  return (...held) => {
    let sum = 0;
    for (const { term, weight } of weights) if (held.some((set) => set.has(term))) sum += weight;
    return sum / whole;
  };
}

const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);
