import { compoundFile } from './compound-file.ts';

/** Texts and numbers by row and column; a number with a format is a day. */
export type XlsCell = string | number | { readonly day: number };

const numbers16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => bytes.writeUInt16LE(value, 2 * index));
  return bytes;
};

/** A record of a workbook stream ([MS-XLS] 2.1.4). */
export const xlsRecord = (type: number, ...body: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat(body);
  return Buffer.concat([numbers16(type, bytes.length), bytes]);
};

interface XlsOptions {
  /** 5 for Excel 5 and 95, 8 for Excel 97 to 2003. */
  readonly version?: 5 | 8;
  /** Of the texts that follow. Null: the workbook says nothing of it. */
  readonly codePage?: number | null;
  /** Texts in that code page; by default the first 256 of Unicode. */
  readonly encode?: (text: string) => Buffer;
  /** Records at the end of the sheet. */
  readonly more?: readonly Buffer[];
}

const BUILT_IN_DAY = 14;

/** A workbook of one sheet `S`, record by record. */
export const xlsStream = (rows: readonly (readonly XlsCell[])[], options: XlsOptions = {}): Buffer => {
  const { version = 8, codePage = version === 8 ? 1_200 : 1_252, more = [] } = options;
  const { encode = (text) => Buffer.from(text, 'latin1') } = options;
  const begin = (kind: number): Buffer => xlsRecord(0x0809, numbers16(version * 256, kind, 0, 0));
  const end = xlsRecord(0x000a);
  const format = (number: number): Buffer =>
    xlsRecord(0x00e0, numbers16(0, number), Buffer.alloc(version === 8 ? 16 : 12));
  const text = (value: string): readonly Buffer[] =>
    version === 8
      ? [numbers16(value.length), Buffer.of(1), Buffer.from(value, 'utf16le')]
      : [numbers16(encode(value).length), encode(value)];
  const cell = (value: XlsCell, row: number, column: number): Buffer => {
    if (typeof value === 'string') return xlsRecord(0x0204, numbers16(row, column, 0), ...text(value));
    const number = Buffer.alloc(8);
    number.writeDoubleLE(typeof value === 'number' ? value : value.day);
    return xlsRecord(0x0203, numbers16(row, column, typeof value === 'number' ? 0 : 1), number);
  };
  const name = version === 8 ? Buffer.from([1, 0, 0x53]) : Buffer.from([1, 0x53]);
  const listed = (at: number): Buffer => {
    const place = Buffer.alloc(6);
    place.writeUInt32LE(at);
    return xlsRecord(0x0085, place, name);
  };
  const before = [
    begin(5),
    ...(codePage === null ? [] : [xlsRecord(0x0042, numbers16(codePage))]),
    format(0),
    format(BUILT_IN_DAY),
  ];
  const globals = Buffer.concat([...before, listed(0), end]).length;
  return Buffer.concat([
    ...before,
    listed(globals),
    end,
    begin(0x10),
    ...rows.flatMap((cells, row) => cells.map((value, column) => cell(value, row, column))),
    ...more,
    end,
  ]);
};

export const xlsFile = (rows: readonly (readonly XlsCell[])[], options: XlsOptions = {}): Buffer =>
  compoundFile({ [options.version === 5 ? 'Book' : 'Workbook']: xlsStream(rows, options) });

/** A text box: how many characters it has, then so many records of them, each with its width ([MS-XLS] 2.4.329). */
export const textBox = (
  text: string,
  parts: readonly (readonly [from: number, to: number, wide: boolean])[],
) => [
  xlsRecord(0x005d, numbers16(0x15, 18, 6, 1, 0x6011), Buffer.alloc(16)),
  xlsRecord(0x01b6, numbers16(0, 0, 0, 0, 0, text.length, 16, 0, 0)),
  ...parts.map(([from, to, wide]) =>
    xlsRecord(
      0x003c,
      Buffer.of(wide ? 1 : 0),
      Buffer.from(text.slice(from, to), wide ? 'utf16le' : 'latin1'),
    ),
  ),
  xlsRecord(0x003c, Buffer.alloc(16)),
];

export const linkOver = (rows: number, columns: number): Buffer =>
  xlsRecord(
    0x01b8,
    numbers16(0, rows - 1, 0, columns - 1),
    Buffer.from('d0c9ea79f9bace118c8200aa004ba90b', 'hex'),
    Buffer.from([2, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0, 0]),
    Buffer.from('x\0', 'utf16le'),
  );
