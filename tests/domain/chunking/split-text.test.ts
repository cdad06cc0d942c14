import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHUNK_LIMITS } from '../../../domain/chunking/chunk.ts';
import { splitText } from '../../../domain/chunking/split-text.ts';
import { normaliseWhitespace } from '../../../domain/chunking/sections.ts';
import { countQuarters, inkOf, prose } from './arbitrary-text.ts';

const small = { maxTokens: 40, overlapTokens: 8, minTokens: 10 };

describe('splitText', () => {
  it('keeps every character that is not whitespace, in order, once the overlap is taken away', () => {
    fc.assert(
      fc.property(prose(300), fc.constantFrom(small, CHUNK_LIMITS), (raw, limits) => {
        const text = normaliseWhitespace(raw);
        const pieces = splitText(text, countQuarters, limits);
        const joined = pieces.map((piece) => piece.text.slice(piece.overlap)).join('');
        expect(inkOf(joined)).toBe(inkOf(text));
      }),
    );
  });

  it('never exceeds the limit, by its own count and by a count of the whole piece', () => {
    fc.assert(
      fc.property(prose(300), (raw) => {
        for (const piece of splitText(normaliseWhitespace(raw), countQuarters, small)) {
          expect(piece.tokens).toBeLessThanOrEqual(small.maxTokens);
          expect(countQuarters(piece.text)).toBeLessThanOrEqual(small.maxTokens);
          expect(piece.text.trim()).toBe(piece.text);
        }
      }),
    );
  });

  /** Each of these sentences counts four. */
  const four = (from: number, length: number): string =>
    Array.from({ length }, (_, index) => `Sentence${from + index} has four words.`).join(' ');
  const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

  const packed = (text: string, overlapTokens = 0, maxTokens = 16) =>
    splitText(text, countWords, { maxTokens, overlapTokens, minTokens: 0 }).map((piece) => piece.text);

  it('lets a line introduce what follows where it is short, one paragraph, and may be repeated', () => {
    const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
    const says = 'It says four things.';
    const endsIn = (line: string, overlapTokens = 8): boolean => {
      const before = [says, says, says].join('\n\n');
      const behind = 'What stands here are more than eleven words, so that nothing fits.';
      const limits = { maxTokens: 24, overlapTokens, minTokens: 4 };
      return splitText(`${before}\n\n${line}\n\n${behind}`, words, limits)[0]!.text.endsWith(line);
    };
    expect(endsIn('Of reels and tapes')).toBe(false);
    expect(endsIn('Of reels and tapes.')).toBe(true);
    expect(endsIn('Of reels\nand tapes')).toBe(true);
    const twoLines = `${says} ${says}\n\nIt is so.\n\nOf reels\nand of ${'more '.repeat(10).trim()}`;
    const [first] = splitText(twoLines, words, { maxTokens: 24, overlapTokens: 8, minTokens: 4 });
    expect(first!.text.endsWith('Of reels')).toBe(true);
    expect(endsIn('Of all that a reel may hold', 7)).toBe(false);
    expect(endsIn('Of all that a reel may hold', 6)).toBe(true);
    const long = (length: number): string => `Of ${'x'.repeat(length - 3)}`;
    // The two breaks before a paragraph count, too.
    expect(endsIn(long(98))).toBe(false);
    expect(endsIn(long(99))).toBe(true);
  });

  it('breaks a paragraph only where it does not fit, and first where it fits no piece at all', () => {
    const [first, second, third] = [four(0, 2), four(2, 2), four(4, 2)];
    expect(packed([first, second, third].join('\n\n'))).toEqual([`${first}\n\n${second}`, third]);
    expect(packed(`${first}\n\n${four(2, 4)}`)).toEqual([first, four(2, 4)]);
    expect(packed(`${first}\n\n${four(2, 5)}`)).toEqual([`${first}\n\n${four(2, 2)}`, four(4, 3)]);
  });

  it('has no piece of an empty text, and none that is blank', () => {
    expect(splitText('', countQuarters, small)).toEqual([]);
    const text = `aaaa\n${' '.repeat(16)}bbbb`;
    const pieces = splitText(text, countQuarters, { maxTokens: 2, overlapTokens: 0, minTokens: 0 });
    expect(pieces.map((piece) => piece.text)).not.toContain('');
  });

  it('cuts a text without a single space, and never inside a surrogate pair', () => {
    const pieces = splitText('🙂'.repeat(5_000), countQuarters, small);
    expect(pieces.length).toBeGreaterThan(100);
    for (const piece of pieces) expect(piece.text.isWellFormed()).toBe(true);
  });

  it('ends even if every character alone exceeds the limit', () => {
    const pieces = splitText('abc', () => 1_000, small);
    expect(pieces.map((piece) => piece.text)).toEqual(['a', 'b', 'c']);
  });

  it('counts no long string at once', () => {
    const counted: number[] = [];
    const count = (text: string): number => {
      counted.push(text.length);
      return countQuarters(text);
    };
    splitText(normaliseWhitespace(`${'a'.repeat(50_000)} ${'word '.repeat(20_000)}`), count, CHUNK_LIMITS);
    expect(Math.max(...counted)).toBeLessThanOrEqual(1_000);
  });
});

describe('normaliseWhitespace', () => {
  it('collapses runs, keeps paragraphs, lines and indentation', () => {
    expect(normaliseWhitespace(' a \t b  \r\n\r\n\n\n  c\n\td\u0000e ')).toBe('a b\n\n  c\n    d e');
  });

  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

  it('takes every control character and every space for one space, and every end of a line for one', () => {
    const controls = [...range(0, 8), ...range(0xb, 0xc), ...range(0xe, 0x1f), 0x7f, 0xfeff];
    const spaces = [9, 0x20, 0xa0, 0x1680, ...range(0x2000, 0x200a), 0x202f, 0x205f, 0x3000];
    for (const code of [...controls, ...spaces]) {
      const char = String.fromCharCode(code);
      expect([code, normaliseWhitespace(`${char}a${char}b${char}${char}c`)]).toEqual([code, 'a b c']);
    }
    for (const end of ['\n', '\r', '\r\n', '\u0085', '\u2028', '\u2029'])
      expect([end, normaliseWhitespace(`a${end}b`)]).toEqual([end, 'a\nb']);
  });

  it('changes nothing when applied twice, and no character that is not whitespace', () => {
    fc.assert(
      fc.property(prose(60), (raw) => {
        const once = normaliseWhitespace(raw);
        expect(normaliseWhitespace(once)).toBe(once);
      }),
    );
  });

  it('repairs lone surrogates, which no store accepts', () => {
    expect(normaliseWhitespace('a\ud800b')).toBe('a\ufffdb');
  });
});
