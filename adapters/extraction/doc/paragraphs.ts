import { paragraphProperties, type ParagraphProperties } from './properties.ts';
import { readStyleProperties } from './styles.ts';

/** `fcPlcfBtePapx` and `lcbPlcfBtePapx` ([MS-DOC] 2.5.6). */
const BIN_TABLE_AT = 0x0102;
const PAGE_BYTES = 512;
const ENTRY_BYTES = 13;
/** Uses of lists have numbers up to here; others stand for numbers of Word 95, or for none ([MS-DOC] 2.6.2, `sprmPIlfo`). */
const LAST_LIST = 0x7fe;

export interface ParagraphKind {
  /** 1–9 for headings, else 0. */
  readonly level: number;
  readonly inTable: boolean;
  /** Null where it is not known. */
  readonly endsRow: boolean | null;
  /** Of which use of a list it is an item, and at which level from 0; null for none. */
  readonly item: { readonly list: number; readonly level: number } | null;
}

export const PLAIN: ParagraphKind = { level: 0, inTable: false, endsRow: null, item: null };

/**
 * What paragraphs are, by the place of their end mark in the stream, from the formatted pages ([MS-DOC] 2.9.175). Pages
 * that are broken tell nothing.
 */
export const readParagraphKinds = (main: Buffer, table: Buffer): ((offset: number) => ParagraphKind) => {
  const styleOf = readStyleProperties(main, table);
  const runs: { readonly from: number; readonly to: number; readonly kind: ParagraphKind }[] = [];
  for (const page of formattedPages(main, table)) {
    const count = page[PAGE_BYTES - 1] ?? 0;
    for (
      let index = 0;
      4 * (count + 1) + ENTRY_BYTES * (index + 1) < PAGE_BYTES && index < count;
      index += 1
    ) {
      const kind = kindAt(page, 2 * page[4 * (count + 1) + ENTRY_BYTES * index]!, styleOf);
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
 * The built-in headings have the numbers 1–9 in every style sheet ([MS-DOC] 2.9.271). What a paragraph says itself counts before
 * its style.
 */
const kindAt = (page: Buffer, at: number, styleOf: (style: number) => ParagraphProperties): ParagraphKind => {
  if (at === 0) return PLAIN;
  const long = page[at] === 0;
  const start = long ? at + 2 : at + 1;
  const length = long ? 2 * (page[at + 1] ?? 0) : 2 * page[at]! - 1;
  if (start + 2 > PAGE_BYTES) return PLAIN;
  const style = page.readUInt16LE(start);
  const own = paragraphProperties(page.subarray(start + 2, Math.min(start + length, PAGE_BYTES - 1)));
  const {
    inTable = false,
    endsRow = false,
    outline,
    list = 0,
    listLevel = 0,
  } = { ...styleOf(style), ...own };
  const level = outline === undefined ? (style >= 1 && style <= 9 ? style : 0) : (outline + 1) % 10;
  const item = list >= 1 && list <= LAST_LIST ? { list, level: listLevel } : null;
  return level === 0 && !inTable && item === null
    ? PLAIN
    : { level, inTable, endsRow: inTable ? endsRow : null, item };
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
