import { MARK } from './names.ts';
import type { WordOfLanguage, WordTerms } from './word-terms.ts';

/** Words that say next to nothing by themselves: those that Postgres leaves out in English. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
  itself they them their theirs themselves what which who whom this that these those am is are was were be been being
  have has had having do does did doing a an the and but if or because as until while of at by for with about against
  between into through during before after above below to from up down in out on off over under again further then once
  here there when where why how all any both each few more most other some such no nor not only own same so than too very
  s t can will just don should now`.split(/\s+/),
);
const LONGEST = Math.max(...[...STOP_WORDS].map(({ length }) => length));
/** Words of a run. Pairs, such as `of the`, stand in nearly every text. */
const RUN = 3;
/** Terms that all runs share, so that the index grows by few: who asks for one looks at the texts. */
const TERMS = 1_024;

/** Whether all of these are stop words; not for none. */
export const saysNothing = (words: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => STOP_WORDS.has(word));

/**
 * Terms for each three stop words in a row, so that `to be or not to be` is found though none of its words is indexed.
 * Different runs may share a term.
 */
export const stopPhrases = (words: readonly string[]): ReadonlySet<string> => {
  const terms = new Set<string>();
  let run = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    run = word.length <= LONGEST && STOP_WORDS.has(word) ? run + 1 : 0;
    if (run >= RUN) terms.add(`${MARK}~${digest(words.slice(i + 1 - RUN, i + 1).join(' '))}`);
  }
  return terms;
};

/**
 * The term of a stop word, whatever language it is of: every text has some, so that only a query of nothing else asks for
 * them. It has no digit behind the mark, as phrases do.
 */
export const stopTerm = (word: string): string => `${MARK}~${word}`;

/** Terms as they are indexed: a stop word by one of its own, which makes no text longer. */
export const withStopTerms = (
  words: readonly WordOfLanguage[],
  terms: readonly WordTerms[],
): readonly WordTerms[] => terms.map((of, i) => (of.length === 0 ? [stopTerm(words[i]?.word ?? '')] : of));

/** FNV-1a, folded. */
const digest = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return ((hash >>> 16) ^ hash) & (TERMS - 1);
};
