import type { AskedWord } from './asked-terms.ts';
import { isWordOrForm, type IsWord } from './words-of-language.ts';

/** A word of a query that no content of the tenant has. */
export interface UnwrittenWord {
  /** As `wordsOf` has it. */
  readonly word: string;
  /** Whether it is a common word of the language: who asks says in it what texts may say otherwise. */
  readonly isOfLanguage: boolean;
}

/** Words alone: of a name or an identifier, each of its words is asked for too. */
const PLAIN = /^[\p{L}\p{M}\p{N}]+$/u;

/** Of the words that a query asks for, those of which no term is known; stop words have none. */
export const unwrittenOf = (
  asked: readonly AskedWord[],
  isKnown: (term: string) => boolean,
): readonly string[] =>
  asked
    .filter(({ word, terms }) => PLAIN.test(word) && terms.length > 0 && !terms.some(isKnown))
    .map(({ word }) => word);

/** The same, told from common words. */
export const unwrittenWords = (words: readonly string[], isWord: IsWord): readonly UnwrittenWord[] =>
  words.map((word) => ({ word, isOfLanguage: isWordOrForm(word, isWord) }));
