import { codePageOfCharset } from '../office/charsets.ts';
import { codePageDecoder, codePageOfLanguage } from '../office/code-pages.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { pieceTable } from './pieces.ts';

/** `fcMin` and `fcMac`: where the text begins and ends (header of Word 6, as documented for Word 6 and 95). */
const TEXT_AT = 0x18;
/** The file was saved quickly: its text is in pieces that are not in their order. */
const COMPLEX = 0x0004;
/** Its characters have two bytes, as editions for East Asia wrote them. */
const WIDE = 0x1000;
/** `fcClx` and `lcbClx`: the table of those pieces, in the same stream as the text. */
const CLX_AT = 0x0160;

/** `lid`: the language that the document was written in; `chs`: the characters of which system it has. */
const LANGUAGE_AT = 0x06;
const SYSTEM_AT = 0x14;
const MACINTOSH = 0x100;
const MACINTOSH_PAGE = 10_000;
const WESTERN = 1_252;

/**
 * Text of a document of Word 6 or 95, all its stories, by the code page of its language, or of its fonts where that is
 * Western: a document in Russian may have been written with a program in English.
 *
 * @throws {ExtractionFailure} `parser_failed`
 */
export const readOldText = (main: Buffer): string => {
  try {
    const flags = main.readUInt16LE(0x0a);
    const width = (flags & WIDE) === 0 ? 1 : 2;
    const bytes = (flags & COMPLEX) === 0 ? textIn(main) : piecesIn(main, width);
    return codePageDecoder(codePageOf(main)).decode(width === 2 ? narrowed(bytes) : bytes);
  } catch (error) {
    if (error instanceof ExtractionFailure) throw error;
    throw new ExtractionFailure('parser_failed', 'its tables lead to places that are not there', {
      cause: error,
    });
  }
};

/** A character of one byte has a zero behind it, one of two bytes its second byte before the first. */
const narrowed = (bytes: Buffer): Buffer => {
  const found = Buffer.alloc(bytes.length);
  let length = 0;
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (bytes[at + 1] !== 0) found[length++] = bytes[at + 1]!;
    found[length++] = bytes[at]!;
  }
  return found.subarray(0, length);
};

const textIn = (main: Buffer): Buffer => {
  const [from, to] = [main.readUInt32LE(TEXT_AT), main.readUInt32LE(TEXT_AT + 4)];
  if (from >= to || from > main.length) throw new ExtractionFailure('parser_failed', 'it holds no text');
  return main.subarray(from, Math.min(to, main.length));
};

/** Pieces that overlap may not make more of the file than it has. @param width bytes of a character */
const piecesIn = (main: Buffer, width: number): Buffer => {
  const pieces = pieceTable(main, main.readUInt32LE(CLX_AT), main.readUInt32LE(CLX_AT + 4));
  const count = Math.max(0, Math.floor((pieces.length - 4) / 12));
  const parts: Buffer[] = [];
  let length = 0;
  for (let index = 0; index < count; index += 1) {
    const characters = pieces.readUInt32LE(4 * index + 4) - pieces.readUInt32LE(4 * index);
    const at = pieces.readUInt32LE(4 * (count + 1) + 8 * index + 2);
    length += characters;
    if (characters < 0 || length > main.length)
      throw new ExtractionFailure('parser_failed', 'its piece table does not add up');
    parts.push(main.subarray(at, at + width * characters));
  }
  return Buffer.concat(parts);
};

const codePageOf = (main: Buffer): number => {
  if (main.readUInt16LE(SYSTEM_AT) === MACINTOSH) return MACINTOSH_PAGE;
  const codePage = codePageOfLanguage(main.readUInt16LE(LANGUAGE_AT));
  return codePage === WESTERN ? (codePageOfFonts(main) ?? WESTERN) : codePage;
};

/** `fcSttbfffn` and `lcbSttbfffn`: the fonts, each with its length less one, three bytes, and its character set. */
const FONTS_AT = 0xd0;

const codePageOfFonts = (main: Buffer): number | null => {
  if (main.length < FONTS_AT + 8) return null;
  const start = main.readUInt32LE(FONTS_AT);
  const end = Math.min(start + main.readUInt32LE(FONTS_AT + 4), main.length);
  for (let at = start + 2; at + 5 <= end; at += 1 + main[at]!) {
    const codePage = codePageOfCharset(main[at + 4]!);
    if (codePage !== null) return codePage;
  }
  return null;
};
