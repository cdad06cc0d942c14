import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { CountTokens } from '../../domain/chunking/chunk.ts';

const COUNTED_AT_ONCE = 1_000;
// Text that spells a control token, such as "<|endoftext|>", is text.
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Tokens in o200k_base. Longer texts are counted piecewise: the tokenizer's cost is quadratic in one long word. */
export const countO200kTokens: CountTokens = (text) => {
  let tokens = 0;
  for (let start = 0; start < text.length; start += COUNTED_AT_ONCE) {
    tokens += countTokens(text.slice(start, start + COUNTED_AT_ONCE), AS_TEXT);
  }
  return tokens;
};
