import type { CountTokens } from '../../domain/chunking/chunk.ts';
import { eld } from 'eld/extrasmall';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Enough text to detect the language, in UTF-16 units. */
const ENOUGH = 4_000;

/** The language of a text (ISO 639-1); null when it is unclear. */
export const detectLanguage = (text: string): string | null => {
  const found = eld.detect(text.slice(0, ENOUGH));
  return found.language !== '' && found.isReliable() ? found.language : null;
};

const COUNTED_AT_ONCE = 1_000;

// Text that spells a control token, such as "<|endoftext|>", is text.
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Words with the preceding white space: tokens hardly ever cross these borders. */
const WORDS = /\s*\S+|\s+/g;

const LONGEST_KEPT = 30;

/** Large manuals have 80,000 different words, most of which occur once. */
const MAX_KEPT = 150_000;

/**
 * Counts tokens in o200k_base. Counts word by word with a cache, because most words of a document repeat; a line break
 * after a punctuation mark, one token together in the encoding, counts as one more. Long words are counted in pieces,
 * because the tokenizer's cost is quadratic in their length.
 */
export const createTokenCounter = (): CountTokens => {
  const kept = new Map<string, number>();
  const ofWord = (word: string): number => {
    if (word.length > LONGEST_KEPT) return piecewise(word);
    const known = kept.get(word);
    if (known !== undefined) return known;
    if (kept.size >= MAX_KEPT) kept.clear();
    const tokens = countTokens(word, AS_TEXT);
    kept.set(word, tokens);
    return tokens;
  };
  return (text) => {
    let tokens = 0;
    for (const word of text.match(WORDS) ?? []) tokens += ofWord(word);
    return tokens;
  };
};

const piecewise = (text: string): number => {
  let tokens = 0;
  for (let start = 0; start < text.length; start += COUNTED_AT_ONCE) {
    tokens += countTokens(text.slice(start, start + COUNTED_AT_ONCE), AS_TEXT);
  }
  return tokens;
};

export const countO200kTokens: CountTokens = createTokenCounter();
