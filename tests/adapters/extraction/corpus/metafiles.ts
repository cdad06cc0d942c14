import { deflateSync } from 'node:zlib';

const numbers32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeInt32LE(value | 0, 4 * index));
  return bytes;
};
const numbers16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => bytes.writeInt16LE((value << 16) >> 16, 2 * index));
  return bytes;
};
const even = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)]);

/** Where a text stands, the width of each of its characters, and in which encoding it is. */
export interface DrawnAt {
  readonly x?: number;
  readonly y?: number;
  readonly each?: number;
  readonly bytes?: Buffer;
  readonly flags?: number;
}

/** A record of a picture ([MS-EMF] 2.3). */
export const emfRecord = (type: number, ...body: readonly Buffer[]): Buffer => {
  const all = Buffer.concat(body);
  const padded = Buffer.concat([all, Buffer.alloc((4 - (all.length % 4)) % 4)]);
  return Buffer.concat([numbers32(type, 8 + padded.length), padded]);
};

/** `EMR_EXTTEXTOUTW`; with bytes, `EMR_EXTTEXTOUTA`. */
export const emfText = (text: string, { x = 0, y = 0, each = 0, bytes, flags = 0 }: DrawnAt = {}): Buffer => {
  const string = bytes ?? Buffer.from(text, 'utf16le');
  const padded = Buffer.concat([string, Buffer.alloc((4 - (string.length % 4)) % 4)]);
  const widths = numbers32(...Array.from(text, () => each));
  const at = 76;
  return emfRecord(
    bytes === undefined ? 84 : 83,
    numbers32(
      0,
      0,
      0,
      0,
      1,
      0,
      0,
      x,
      y,
      text.length,
      at,
      flags,
      0,
      0,
      0,
      0,
      each === 0 ? 0 : at + padded.length,
    ),
    padded,
    widths,
  );
};

export const emfSmallText = (text: string, x: number, y: number, flags: number): Buffer =>
  emfRecord(
    108,
    numbers32(x, y, text.length, flags, 1, 0, 0),
    (flags & 0x100) === 0 ? Buffer.alloc(16) : Buffer.alloc(0),
    Buffer.from(text, (flags & 0x200) === 0 ? 'utf16le' : 'latin1'),
  );

/** A font of a character set under a number, and its choice. */
export const emfFont = (number: number, charset: number): readonly Buffer[] => {
  const font = Buffer.alloc(92);
  font[23] = charset;
  return [emfRecord(82, numbers32(number), font), emfRecord(37, numbers32(number))];
};

export const emfNumbers = (type: number, ...values: number[]): Buffer =>
  emfRecord(type, numbers32(...values));

/** Newer records in a comment of an older one ([MS-EMFPLUS] 2.3). */
export const emfPlus = (type: number, body: Buffer): Buffer => {
  const record = Buffer.concat([numbers16(type, 0), numbers32(12 + body.length, body.length), body]);
  return emfRecord(70, numbers32(4 + record.length), Buffer.from('EMF+'), record);
};

export const plusString = (text: string, x: number, y: number): Buffer => {
  const place = Buffer.alloc(16);
  place.writeFloatLE(x, 0);
  place.writeFloatLE(y, 4);
  return emfPlus(0x401c, Buffer.concat([numbers32(0, 0, text.length), place, Buffer.from(text, 'utf16le')]));
};

export const emfFile = (...records: readonly Buffer[]): Buffer => {
  const header = Buffer.alloc(80);
  header.write(' EMF', 32, 'latin1');
  return Buffer.concat([emfRecord(1, header), ...records, emfRecord(14, numbers32(0, 16, 20))]);
};

/** A record of an older picture ([MS-WMF] 2.3). */
const wmfRecord = (type: number, ...body: readonly Buffer[]): Buffer => {
  const all = even(Buffer.concat(body));
  return Buffer.concat([numbers32(3 + all.length / 2), numbers16(type), all]);
};

export const wmfNumbers = (type: number, ...values: number[]): Buffer =>
  wmfRecord(type, numbers16(...values));

/** `META_EXTTEXTOUT`. */
export const wmfText = (text: string, { x = 0, y = 0, each = 0, bytes, flags = 0 }: DrawnAt = {}): Buffer => {
  const string = bytes ?? Buffer.from(text, 'latin1');
  return wmfRecord(
    0x0a32,
    numbers16(y, x, string.length, flags),
    Buffer.alloc((flags & 6) === 0 ? 0 : 8),
    even(string),
    each === 0 ? Buffer.alloc(0) : numbers16(...Array.from(string, () => each)),
  );
};

/** `META_TEXTOUT`. */
export const wmfPlainText = (text: string, x: number, y: number): Buffer =>
  wmfRecord(0x0521, numbers16(text.length), even(Buffer.from(text, 'latin1')), numbers16(y, x));

/** Its number is the first that is free. */
export const wmfFont = (charset: number): Buffer =>
  wmfRecord(0x02fb, Buffer.from(Array.from({ length: 18 }, (_, index) => (index === 13 ? charset : 0))));

export const wmfFile = (records: readonly Buffer[], placeable = false): Buffer => {
  const head = placeable ? Buffer.concat([numbers32(0x9ac6cdd7), Buffer.alloc(18)]) : Buffer.alloc(0);
  return Buffer.concat([head, numbers16(1, 9, 0x0300, 0, 0, 0, 0, 0, 0), ...records, wmfNumbers(0)]);
};

/** A picture as drawings of office files from before 2007 keep it ([MS-ODRAW] 2.2.24 and 2.2.25). */
export const blip = (picture: Buffer, kind: 'emf' | 'wmf', packed: boolean, ids: 1 | 2 = 1): Buffer => {
  const content = packed ? deflateSync(picture) : picture;
  const head = kind === 'emf' ? 0x3d30 + 0x10 * ids : 0x2150 + 0x10 * ids;
  const sizes = numbers32(picture.length, 0, 0, 0, 0, 0, 0, content.length);
  const body = Buffer.concat([Buffer.alloc(16 * ids), sizes, Buffer.of(packed ? 0 : 0xfe, 0xfe), content]);
  return Buffer.concat([numbers16(head, kind === 'emf' ? 0xf01a : 0xf01b), numbers32(body.length), body]);
};
