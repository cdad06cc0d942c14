import { foldedTerms, stemmedForms, type WordTerms } from '../../domain/ranking/word-terms.ts';

const STOP_WORDS = new Set(
  'a an and are as at be by for from has in is it its of on or that the to was were will with'.split(' '),
);

/** Terms of words of any language, by the rules of `plainStem`. */
export const plainTerms = (word: string): WordTerms => foldedTerms(stemmedForms(word).map(plainStem));

/**
 * Stems of English words: stop words have none, a plural that of its singular (the S-stemmer of Harman, "How effective
 * is suffixing?", 1991).
 */
const plainStem = (word: string): string => {
  if (STOP_WORDS.has(word)) return '';
  if (/[^ea]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/[^aeo]es$/.test(word)) return word.slice(0, -1);
  return /[^us]s$/.test(word) ? word.slice(0, -1) : word;
};
