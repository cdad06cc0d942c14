import type { DrawnLines } from './drawn-lines.ts';

/** Types of records ([MS-EMFPLUS] 2.1.1.1). */
const STRING = 0x401c;
const DRIVER_STRING = 0x4036;
const HEADER_BYTES = 12;
/** Its numbers are characters, not glyphs. */
const CHARACTERS = 1;

/** Whether a comment holds newer records. */
export const isEmfPlus = (comment: Buffer): boolean => comment.toString('latin1', 12, 16) === 'EMF+';

/** @throws {RangeError} where a record is cut */
export const plusText = (records: Buffer, drawn: DrawnLines): void => {
  for (let at = 0; at + HEADER_BYTES <= records.length;) {
    const type = records.readUInt16LE(at);
    const size = records.readUInt32LE(at + 4);
    if (size < HEADER_BYTES) return;
    const body = records.subarray(at + HEADER_BYTES, at + size);
    if (type === STRING) {
      // Brush, format, length, a rectangle, and the text.
      const text = body.toString('utf16le', 28, 28 + 2 * body.readUInt32LE(8));
      for (const line of text.split('\n'))
        drawn.add({ text: line, x: body.readFloatLE(12), y: body.readFloatLE(16), width: 0 });
    } else if (type === DRIVER_STRING && (body.readUInt32LE(4) & CHARACTERS) !== 0) {
      // Brush, flags, whether there is a matrix, a count, the text, and a place for each character.
      const count = body.readUInt32LE(12);
      const places = 16 + 2 * count;
      const [x, y] = [body.readFloatLE(places), body.readFloatLE(places + 4)];
      const width = count < 2 ? 0 : ((body.readFloatLE(places + 8 * (count - 1)) - x) * count) / (count - 1);
      drawn.add({ text: body.toString('utf16le', 16, places), x, y, width });
    }
    at += size;
  }
};
