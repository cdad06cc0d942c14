import { codePageOfCharset } from '../office/charsets.ts';
import { codePageDecoder } from '../office/code-pages.ts';
import { createDrawnLines, type DrawnLines } from './drawn-lines.ts';
import { isEmfPlus, plusText } from './emf-plus.ts';
import { MOST_CHARACTERS, SYMBOLS, WESTERN } from './fonts.ts';
import { createPen } from './pen.ts';

/** Types of records ([MS-EMF] 2.1.1). */
const END = 14;
const ALIGN = 22;
const MOVE = 27;
const SELECT = 37;
const COMMENT = 70;
const FONT = 82;
const TEXT_A = 83;
const TEXT_W = 84;
const TEXTS_A = 96;
const TEXTS_W = 97;
const SMALL_TEXT = 108;
/** What changes the units: of windows and viewports, of saved states, and of the world. */
const MEASURES = new Set([9, 10, 11, 12, 31, 32, 33, 34, 35, 36]);

const GLYPHS = 0x10;
const NO_BOUNDS = 0x100;
const SMALL_CHARACTERS = 0x200;
const TEXT_BYTES = 40;

/** Of the header: a record of the type 1, with this mark at 40. */
export const isEmf = (bytes: Buffer): boolean =>
  bytes.length >= 88 && bytes.readUInt32LE(0) === 1 && bytes.toString('latin1', 40, 44) === ' EMF';

/** Lines that a picture draws; those of its newer records (EMF+) where the older ones have none. What is broken ends it. */
export const emfLines = (bytes: Buffer): readonly string[] => {
  const [older, newer] = [createDrawnLines(), createDrawnLines()];
  try {
    readRecords(bytes, older, newer);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return older.length > 0 ? older.lines() : newer.lines();
};

const readRecords = (bytes: Buffer, drawn: DrawnLines, newer: DrawnLines): void => {
  const pen = createPen();
  const charsets = new Map<number, number>();
  let charset = WESTERN;
  const draw = (record: Buffer, at: number, wide: boolean): void => {
    const [count, from, flags, advances] = [8, 12, 16, 36].map((field) => record.readUInt32LE(at + field));
    if ((flags! & GLYPHS) !== 0 || charset === SYMBOLS) return;
    const part = record.subarray(from, from! + (wide ? 2 : 1) * count!);
    const text = wide ? part.toString('utf16le') : decoded(part, charset);
    const width = advances === 0 ? 0 : sum32(record, advances!, count!);
    drawn.add(pen.place(text, record.readInt32LE(at), record.readInt32LE(at + 4), width));
  };
  // Texts of one record may all be the same bytes.
  const drawEach = (record: Buffer, wide: boolean): void => {
    const count = record.readUInt32LE(36);
    for (let index = 0; index < count && drawn.length < MOST_CHARACTERS; index += 1)
      draw(record, 40 + TEXT_BYTES * index, wide);
  };
  const handlers: Readonly<Record<number, (record: Buffer) => void>> = {
    [ALIGN]: (record) => pen.align(record.readUInt32LE(8)),
    [MOVE]: (record) => pen.moveTo(record.readInt32LE(8), record.readInt32LE(12)),
    [FONT]: (record) => charsets.set(record.readUInt32LE(8), record.readUInt8(35)),
    [SELECT]: (record) => (charset = charsets.get(record.readUInt32LE(8)) ?? charset),
    [TEXT_A]: (record) => draw(record, 36, false),
    [TEXT_W]: (record) => draw(record, 36, true),
    [TEXTS_A]: (record) => drawEach(record, false),
    [TEXTS_W]: (record) => drawEach(record, true),
    [SMALL_TEXT]: (record) => {
      const text = charset === SYMBOLS ? '' : smallText(record);
      drawn.add(pen.place(text, record.readInt32LE(8), record.readInt32LE(12), 0));
    },
    [COMMENT]: (record) => {
      if (isEmfPlus(record)) plusText(record.subarray(16, 12 + record.readUInt32LE(8)), newer);
    },
  };
  for (let at = 0; at + 8 <= bytes.length && drawn.length + newer.length < MOST_CHARACTERS;) {
    const type = bytes.readUInt32LE(at);
    const size = bytes.readUInt32LE(at + 4);
    if (size < 8 || type === END) return;
    if (MEASURES.has(type)) drawn.breakLine();
    else handlers[type]?.(bytes.subarray(at, at + size));
    at += size;
  }
};

const smallText = (record: Buffer): string => {
  const [count, flags] = [record.readUInt32LE(16), record.readUInt32LE(20)];
  const at = (flags & NO_BOUNDS) === 0 ? 52 : 36;
  if ((flags & GLYPHS) !== 0) return '';
  return (flags & SMALL_CHARACTERS) === 0
    ? record.toString('utf16le', at, at + 2 * count)
    : record.toString('latin1', at, at + count);
};

const decoded = (bytes: Buffer, charset: number): string =>
  codePageDecoder(codePageOfCharset(charset) ?? 1_252).decode(bytes);

const sum32 = (record: Buffer, from: number, count: number): number => {
  let sum = 0;
  for (let at = from; at < from + 4 * count && at + 4 <= record.length; at += 4)
    sum += record.readUInt32LE(at);
  return sum;
};
