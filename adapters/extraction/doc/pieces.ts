import { ExtractionFailure } from '../extraction-failure.ts';

export interface PieceText {
  /** All stories, one after the other, as characters of the file: paragraphs end with `\r`, cells with `\x07`. */
  readonly text: string;
  /** Where in the stream a character of the text stands. */
  readonly offsets: (at: number) => number;
}

/** `fcClx` and `lcbClx` ([MS-DOC] 2.5.6). */
const CLX_AT = 0x01a2;
const COMPRESSED = 0x40000000;
const MAX_CHARACTERS = 64 * 1_024 ** 2;

/** Follows the piece table ([MS-DOC] 2.8.35): text lies in pieces, in the order of edits. */
export const readPieces = (main: Buffer, table: Buffer): PieceText => {
  const pieces = pieceTable(table, main.readUInt32LE(CLX_AT), main.readUInt32LE(CLX_AT + 4));
  const count = Math.max(0, Math.floor((pieces.length - 4) / 12));
  const parts: string[] = [];
  const starts: { readonly at: number; readonly offset: number; readonly width: number }[] = [];
  let length = 0;
  for (let index = 0; index < count; index += 1) {
    const characters = pieces.readUInt32LE(4 * index + 4) - pieces.readUInt32LE(4 * index);
    const position = pieces.readUInt32LE(4 * (count + 1) + 8 * index + 2);
    const compressed = (position & COMPRESSED) !== 0;
    const offset = compressed ? (position & (COMPRESSED - 1)) >>> 1 : position & (COMPRESSED - 1);
    if (characters < 0 || length + characters > MAX_CHARACTERS)
      throw new ExtractionFailure('parser_failed', 'its piece table does not add up');
    const end = offset + characters * (compressed ? 1 : 2);
    const bytes = main.subarray(offset, end);
    const text = compressed ? WINDOWS.decode(bytes) : bytes.toString('utf16le');
    starts.push({ at: length, offset, width: compressed ? 1 : 2 });
    // Pieces count characters: what lies beyond the end of the stream must not shift those behind it.
    parts.push(text.padEnd(characters, ' ').slice(0, characters));
    length += characters;
  }
  return {
    text: parts.join(''),
    offsets: (at) => {
      const piece = lastBefore(starts, at);
      return piece === undefined ? 0 : piece.offset + (at - piece.at) * piece.width;
    },
  };
};

const WINDOWS = new TextDecoder('windows-1252');

/**
 * Behind the property modifiers, each with its length, comes the table with the mark 2.
 *
 * @throws {ExtractionFailure} `parser_failed` where it is missing
 */
export const pieceTable = (table: Buffer, start: number, length: number): Buffer => {
  const end = Math.min(start + length, table.length);
  let at = start;
  while (at + 3 <= end && table[at] === 1) at += 3 + table.readUInt16LE(at + 1);
  if (at + 5 > end || table[at] !== 2)
    throw new ExtractionFailure('parser_failed', 'its piece table is missing');
  return table.subarray(at + 5, at + 5 + table.readUInt32LE(at + 1));
};

const lastBefore = <T extends { readonly at: number }>(starts: readonly T[], at: number): T | undefined => {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return starts[low - 1];
};
