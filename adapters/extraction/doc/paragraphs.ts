/** `fcPlcfBtePapx` and `lcbPlcfBtePapx` ([MS-DOC] 2.5.6). */
const BIN_TABLE_AT = 0x0102;
const PAGE_BYTES = 512;
const ENTRY_BYTES = 13;
/** `sprmPFInTable` and `sprmPFTtp`, with their operands. */
const IN_TABLE = Buffer.from([0x16, 0x24, 0x01]);
const ENDS_ROW = Buffer.from([0x17, 0x24, 0x01]);

export interface ParagraphKind {
  /** 1–9 for headings, else 0. */
  readonly level: number;
  readonly inTable: boolean;
  /** Null where it is not known. */
  readonly endsRow: boolean | null;
}

export const PLAIN: ParagraphKind = { level: 0, inTable: false, endsRow: null };

/**
 * What paragraphs are, by the place of their end mark in the stream, from the formatted pages ([MS-DOC] 2.9.175). Pages
 * that are broken tell nothing.
 */
export const readParagraphKinds = (main: Buffer, table: Buffer): ((offset: number) => ParagraphKind) => {
  const runs: { readonly from: number; readonly to: number; readonly kind: ParagraphKind }[] = [];
  for (const page of formattedPages(main, table)) {
    const count = page[PAGE_BYTES - 1] ?? 0;
    for (
      let index = 0;
      4 * (count + 1) + ENTRY_BYTES * (index + 1) < PAGE_BYTES && index < count;
      index += 1
    ) {
      const kind = kindAt(page, 2 * page[4 * (count + 1) + ENTRY_BYTES * index]!);
      if (kind !== PLAIN) {
        runs.push({ from: page.readUInt32LE(4 * index), to: page.readUInt32LE(4 * index + 4), kind });
      }
    }
  }
  runs.sort((a, b) => a.from - b.from);
  return (offset) => {
    let [low, high] = [0, runs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (runs[middle]!.from <= offset) low = middle + 1;
      else high = middle;
    }
    const found = runs[low - 1];
    return found !== undefined && offset < found.to ? found.kind : PLAIN;
  };
};

/**
 * Properties begin with their length, in words or, behind a zero, in words of a second byte, and with the number of the style.
 * The built-in headings have the numbers 1–9 in every style sheet ([MS-DOC] 2.9.271).
 */
const kindAt = (page: Buffer, at: number): ParagraphKind => {
  if (at === 0) return PLAIN;
  const long = page[at] === 0;
  const start = long ? at + 2 : at + 1;
  const length = long ? 2 * (page[at + 1] ?? 0) : 2 * page[at]! - 1;
  if (start + 2 > PAGE_BYTES) return PLAIN;
  const style = page.readUInt16LE(start);
  const properties = page.subarray(start + 2, Math.min(start + length, PAGE_BYTES - 1));
  const inTable = properties.includes(IN_TABLE);
  const level = style >= 1 && style <= 9 ? style : 0;
  return level === 0 && !inTable
    ? PLAIN
    : { level, inTable, endsRow: inTable ? properties.includes(ENDS_ROW) : null };
};

const formattedPages = function* (main: Buffer, table: Buffer): Generator<Buffer> {
  const start = main.readUInt32LE(BIN_TABLE_AT);
  const length = main.readUInt32LE(BIN_TABLE_AT + 4);
  const count = Math.floor((Math.min(length, table.length - start) - 4) / 8);
  for (let index = 0; index < count; index += 1) {
    const number = table.readUInt32LE(start + 4 * (count + 1) + 4 * index) & 0x3fffff;
    const page = main.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES);
    if (page.length === PAGE_BYTES) yield page;
  }
};
