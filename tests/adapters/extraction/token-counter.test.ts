import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenCounter } from '../../../adapters/extraction/language-and-tokens.ts';

const AS_TEXT = { disallowedSpecial: new Set<string>() };

describe('the token counter', () => {
  it('counts words in any order within a tenth of what the encoding makes of them', () => {
    const count = createTokenCounter();
    const word = fc.constantFrom(
      'the',
      'wal_level',
      'replica,',
      'archive.',
      'PostgreSQL',
      'read-only',
      '日本語',
      '<|endoftext|>',
    );
    const space = fc.constantFrom(' ', ' ', ' ', '\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, space), { minLength: 1 }), (parts) => {
        const text = parts.flat().join('').trim();
        const exact = countTokens(text, AS_TEXT);
        const breaks = text.split('\n').length;
        return Math.abs(count(text) - exact) <= breaks + exact / 10;
      }),
    );
  });

  it('answers soon for one enormous word', () => {
    expect(createTokenCounter()('a'.repeat(100_000))).toBeGreaterThan(1_000);
  });
});
