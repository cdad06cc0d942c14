import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitText, definitionsOf } from '../../../domain/chunking/split-text.ts';
import { normaliseWhitespace } from '../../../domain/chunking/sections.ts';
import { countQuarters, inkOf, prose } from './arbitrary-text.ts';
import { textAtoms } from '../../../domain/chunking/text-atoms.ts';

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

    it('that fits none begins in a piece that has little', () => {
      const long = `coil ¶\n\n${[2, 3, 4, 5, 6, 7].map((at) => says(at, 1)).join('\n\n')}`;
      expect(splitBy(24, size, long)[0]).toBe(size);
      expect(splitBy(24, 'It has a few.', 'A few more of these.', long)[0]).toMatch(/Sentence2/);
    });
  });

  it('repeats its terms where a piece has room for them, and what it says behind them', () => {
    const repeats = (terms: string, limits: { maxTokens: number; overlapTokens: number }): boolean =>
      split(`${terms}\n\n${says(0, 12)}`, { ...limits, minTokens: 4 })[1]!.startsWith(`${terms}\n\n…`);
    // The dots count, too.
    expect(repeats('a b c d e f ¶', { maxTokens: 24, overlapTokens: 8 })).toBe(true);
    expect(repeats('a b c d e f ¶', { maxTokens: 24, overlapTokens: 7 })).toBe(false);
    expect(repeats('a b c d e f g h i j ¶', { maxTokens: 25, overlapTokens: 20 })).toBe(true);
    expect(repeats('a b c d e f g h i j k ¶', { maxTokens: 25, overlapTokens: 20 })).toBe(false);
    expect(repeats('a b c d e f g h i j k ¶', { maxTokens: 26, overlapTokens: 20 })).toBe(false);
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

describe('definitions of a text', () => {
  const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
  /** Each sentence and each term is an atom. */
  const definitionsIn = (text: string) => definitionsOf(text, textAtoms(text, countWords, 100));

  it('are found by their place where there are many', () => {
    const many = Array.from({ length: 9 }, (_, i) => `t${i} ¶\n\nSays so.`).join('\n\n');
    const { around } = definitionsIn(many);
    expect([...Array(18).keys()].map((atom) => around(atom)?.start)).toEqual(
      [...Array(18).keys()].map((atom) => atom - (atom % 2)),
    );
  });

  it('have terms of several lines', () => {
    const { startingAt } = definitionsIn('-s ¶\n--size ¶\n\nHow long.');
    expect(startingAt(0)).toEqual({ start: 0, body: 2, tokens: 6 });
  });

  it('are none where no paragraph ends in the sign', () => {
    for (const none of ['size\n\nHow long.', 'size\n\nHow ¶ long.', 'size ¶\nin metres\n\nHow long.']) {
      const { startingAt, around } = definitionsIn(none);
      expect([0, 1, 2].map(startingAt)).toEqual([undefined, undefined, undefined]);
      expect([0, 1, 2].map(around)).toEqual([undefined, undefined, undefined]);
    }
  });
});
