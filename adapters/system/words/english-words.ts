import type { IsWord } from '../../../domain/ranking/words-of-language.ts';

/** A word after a blank, as the tokenizer stores words. */
const WORD = /^ [a-z]{4,}$/;

/**
 * Some 19,000 common words of English: the single tokens of r50k_base, which was trained on web pages. Unlike
 * the larger vocabularies of later models it contains no common misspellings. Loaded at the first call, which
 * takes 0.1 s and 4 MB; loaded again if that failed.
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
