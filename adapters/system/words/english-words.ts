import type { IsWord } from '../../../domain/ranking/words-of-language.ts';

/** A word behind a blank, as a tokenizer has it where many texts do. */
const WORD = /^ [a-z]{4,}$/;

/**
 * Some 19,000 common words of English: those that are one token of r50k_base, which was learned from pages of the web. The
 * misspellings in which people type them are not among these, as they are of the larger vocabularies of later models.
 * They are read when first asked for, which takes 0.1 s and 4 MB, and again where that failed.
 */
export const createEnglishWords = (read = readWords): (() => Promise<IsWord>) => {
  let words: Promise<IsWord> | null = null;
  return () =>
    (words ??= read().catch((error: unknown) => {
      words = null;
      throw error;
    }));
};

const readWords = async (): Promise<IsWord> => {
  const { default: tokens } = await import('gpt-tokenizer/bpeRanks/r50k_base');
  const words = new Set<string>();
  for (const token of tokens) if (typeof token === 'string' && WORD.test(token)) words.add(token.slice(1));
  return (word) => words.has(word);
};
