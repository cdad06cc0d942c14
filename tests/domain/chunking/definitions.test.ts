import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitText } from '../../../domain/chunking/split-text.ts';
import { normaliseWhitespace } from '../../../domain/chunking/sections.ts';
import { countQuarters, inkOf, prose } from './arbitrary-text.ts';

describe('a definition', () => {
  const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
  /** Sentences of four words each. */
  const says = (from: number, count: number): string =>
    Array.from({ length: count }, (_, i) => `Sentence${from + i} has four words.`).join(' ');
  const split = (
    text: string,
    limits = { maxTokens: 24, overlapTokens: 8, minTokens: 10 },
  ): readonly string[] => splitText(text, countWords, limits).map((piece) => piece.text);

  const [size, tape, reel] = [
    `size ¶\n\n${says(0, 2)}`,
    `tape ¶\n\n${says(2, 3)}`,
    `reel ¶\n\n${says(5, 2)}`,
  ];

  it('shares a piece where both fit', () => {
    const limits = { maxTokens: 30, overlapTokens: 8, minTokens: 10 };
    expect(split([size, reel, tape].join('\n\n'), limits)).toEqual([`${size}\n\n${reel}`, tape]);
  });

  it('goes on under its terms in the next piece, with what that repeats of it and nothing of another', () => {
    const long = `-s ¶\n\n--size ¶\n\n${says(0, 4)}\n\n${says(4, 4)}`;
    expect(split(`${reel}\n\n${long}`, { maxTokens: 24, overlapTokens: 8, minTokens: 10 })).toEqual([
      reel,
      `-s ¶\n\n--size ¶\n\n${says(0, 4)}`,
      `-s ¶\n\n--size ¶\n\n…\n\n${says(3, 1)}\n\n${says(4, 3)}`,
      `-s ¶\n\n--size ¶\n\n…\n\n${says(5, 3)}`,
    ]);
  });

  describe('of several paragraphs', () => {
    const coil = `coil ¶\n\n${says(2, 2)}\n\n${says(4, 1)}`; // 14 words
    const splitBy = (maxTokens: number, ...texts: readonly string[]): readonly string[] =>
      split(texts.join('\n\n'), { maxTokens, overlapTokens: 4, minTokens: 10 });

    it('begins a piece of its own where it would be cut, and fits one', () => {
      expect(splitBy(23, size, coil)).toEqual([size, coil]);
      expect(splitBy(24, size, coil, reel)).toEqual([`${size}\n\n${coil}`, reel]);
      expect(splitBy(14, says(9, 1), coil)).toEqual([says(9, 1), coil]);
    });
  });

  it('loses no character, and no piece exceeds the limit', () => {
    const limits = { maxTokens: 40, overlapTokens: 12, minTokens: 10 };
    const lists = fc.array(fc.tuple(fc.constantFrom('a ¶', 'max size ¶', 'b ¶\n\nc ¶'), prose(60)), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(lists, (definitions) => {
        const text = normaliseWhitespace(definitions.flat().join('\n\n'));
        const pieces = splitText(text, countQuarters, limits);
        expect(inkOf(pieces.map((piece) => piece.text.slice(piece.overlap)).join(''))).toBe(inkOf(text));
        for (const piece of pieces) expect(countQuarters(piece.text)).toBeLessThanOrEqual(limits.maxTokens);
      }),
    );
  });
});
