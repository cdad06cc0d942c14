import { codePageOfCharset } from '../office/charsets.ts';
import { codePageDecoder } from '../office/code-pages.ts';
import { createDrawnLines, type DrawnLines } from './drawn-lines.ts';
import { MOST_CHARACTERS, SYMBOLS, WESTERN } from './fonts.ts';
import { createPen } from './pen.ts';

/** Types of records ([MS-WMF] 2.1.1.1). */
const ALIGN = 0x012e;
const MOVE = 0x0214;
const SELECT = 0x012d;
const DELETE = 0x01f0;
const FONT = 0x02fb;
const TEXT = 0x0521;
const TEXT_WITH_PLACES = 0x0a32;
/** What takes a number among the objects: brushes, pens, palettes, regions. */
const OBJECTS = new Set([0x02fc, 0x02fa, 0x0142, 0x01f9, 0x00f7, 0x06ff]);
/** What changes the units: of windows and viewports. */
const MEASURES = new Set([0x020b, 0x020c, 0x020d, 0x020e, 0x0410, 0x0412, 0x0127]);

const PLACEABLE = 0x9ac6cdd7;
const PLACEABLE_BYTES = 22;
const HEADER_WORDS = 9;
const WITH_RECTANGLE = 6;

export const isWmf = (bytes: Buffer): boolean => headerAt(bytes) !== null;

const headerAt = (bytes: Buffer): number | null => {
  const at = bytes.length >= 4 && bytes.readUInt32LE(0) === PLACEABLE ? PLACEABLE_BYTES : 0;
  if (at + 18 > bytes.length) return null;
  const [type, words, version] = [0, 2, 4].map((field) => bytes.readUInt16LE(at + field));
  const isHeader = (type === 1 || type === 2) && words === HEADER_WORDS;
  return isHeader && (version === 0x0100 || version === 0x0300) ? at : null;
};

/** Lines that a picture draws. What is broken ends it. */
export const wmfLines = (bytes: Buffer): readonly string[] => {
  const drawn = createDrawnLines();
  try {
    readRecords(bytes.subarray((headerAt(bytes) ?? 0) + 2 * HEADER_WORDS), drawn);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return drawn.lines();
};

const readRecords = (bytes: Buffer, drawn: DrawnLines): void => {
  const pen = createPen();
  /** Character sets of fonts, by the numbers of objects; null for other objects. */
  const objects: (number | null | undefined)[] = [];
  let charset = WESTERN;
  const add = (object: number | null): void => {
    const free = objects.indexOf(undefined);
    if (free !== -1) objects[free] = object;
    else if (objects.length < MOST_OBJECTS) objects.push(object);
  };
  const draw = (text: Buffer, x: number, y: number, width: number): void => {
    if (charset === SYMBOLS) return;
    const decoder = codePageDecoder(codePageOfCharset(charset) ?? 1_252);
    drawn.add(pen.place(decoder.decode(text), x, y, width));
  };
  const handlers: Readonly<Record<number, (body: Buffer) => void>> = {
    [ALIGN]: (body) => pen.align(body.readUInt16LE(0)),
    [MOVE]: (body) => pen.moveTo(body.readInt16LE(2), body.readInt16LE(0)),
    [FONT]: (body) => add(body.readUInt8(13)),
    [SELECT]: (body) => (charset = objects[body.readUInt16LE(0)] ?? charset),
    [DELETE]: (body) => {
      const number = body.readUInt16LE(0);
      if (number < objects.length) objects[number] = undefined;
    },
    [TEXT]: (body) => {
      const count = body.readUInt16LE(0);
      const end = 2 + count + (count % 2);
      draw(body.subarray(2, 2 + count), body.readInt16LE(end + 2), body.readInt16LE(end), 0);
    },
    [TEXT_WITH_PLACES]: (body) => {
      const count = body.readUInt16LE(4);
      const at = 8 + ((body.readUInt16LE(6) & WITH_RECTANGLE) === 0 ? 0 : 8);
      const width = sum16(body.subarray(at + count + (count % 2)), count);
      draw(body.subarray(at, at + count), body.readInt16LE(2), body.readInt16LE(0), width);
    },
  };
  for (let at = 0; at + 6 <= bytes.length && drawn.length < MOST_CHARACTERS;) {
    const size = 2 * bytes.readUInt32LE(at);
    const type = bytes.readUInt16LE(at + 4);
    if (size < 6 || type === 0) return;
    if (OBJECTS.has(type)) add(null);
    else if (MEASURES.has(type)) drawn.breakLine();
    else handlers[type]?.(bytes.subarray(at + 6, at + size));
    at += size;
  }
};

const MOST_OBJECTS = 1_000;

/** Widths of so many characters, as far as they are there. */
const sum16 = (widths: Buffer, count: number): number => {
  let sum = 0;
  for (let at = 0; at < 2 * count && at + 2 <= widths.length; at += 2) sum += widths.readInt16LE(at);
  return sum;
};
