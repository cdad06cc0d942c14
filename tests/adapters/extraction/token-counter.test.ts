import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenCounter } from '../../../adapters/extraction/token-counter.ts';

const AS_TEXT = { disallowedSpecial: new Set<string>() };
const PROSE = `The parameter wal_level determines how much information is written to the WAL. The default value is
replica, which writes enough data to support WAL archiving and replication, including running read-only queries on a
standby server.\nminimal removes all logging except the information required to recover from a crash.`;

describe('the token counter', () => {
  it('counts prose as the encoding does, but for a line break after a punctuation mark', () => {
    const exact = countTokens(PROSE, AS_TEXT);
    const counted = createTokenCounter()(PROSE);
    expect(counted).toBeGreaterThanOrEqual(exact);
    expect(counted - exact).toBeLessThanOrEqual(2);
  });

  it('counts the same again', () => {
    const count = createTokenCounter();
    expect(count(PROSE)).toBe(count(PROSE));
  });

  it('never counts fewer tokens than there are, on any text', () => {
    const count = createTokenCounter();
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom('the', 'a.b', '…', '日本語', '<|endoftext|>'),
    );
    const space = fc.constantFrom(' ', '\n', '\n\n', '  ');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, space)), (parts) => {
        const text = parts.flat().join('').trim();
        return count(text) >= countTokens(text, AS_TEXT);
      }),
      { numRuns: 500 },
    );
  });

  it('answers soon for one enormous word', () => {
    expect(createTokenCounter()('a'.repeat(100_000))).toBeGreaterThan(1_000);
  });
});
