import { folded } from '../shared/words.ts';

/** A word, and the language of the text that it stands in. */
export interface WordOfLanguage {
  readonly word: string;
  /** BCP 47; empty where it is not known. */
  readonly language: string;
}

/**
 * The terms under which a word is found: none for a stop word. The first makes a text longer, the others are other ways
 * to write it.
 */
export type WordTerms = readonly string[];

/** The forms of a word that are stemmed: as it stands, and without accents where it has some. */
export const stemmedForms = (word: string): readonly string[] => {
  const plain = folded(word);
  return plain === word ? [word] : [word, plain];
};

/**
 * Terms from the stems of a word's `stemmedForms`, the empty text for a stop word: a stem without accents, as endings are
 * known by theirs, and the stem of the word without, for those who type none.
 */
export const foldedTerms = (stems: readonly string[]): WordTerms => {
  const stem = stems[0] ?? '';
  if (stem === '') return [];
  // Nearly all words.
  if (stems.length === 1) return [folded(stem)];
  return [...new Set([folded(stem), ...stems.slice(1).filter((other) => other !== '')])];
};
