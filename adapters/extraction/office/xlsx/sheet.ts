import { ExtractionFailure } from '../../extraction-failure.ts';
import { readXml } from '../../xml/read-xml.ts';
import { withoutMarks } from '../text-flow.ts';
import { type MergedCells, MOST_MERGED, withMerged } from '../../rows/merged-cells.ts';
import type { SheetCell, SheetRow } from '../workbook.ts';
import { createRequire } from 'node:module';

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  raw: string;
}

interface OpenRow {
  readonly number: number;
  readonly cells: Map<number, SheetCell>;
  /** Column of the next cell without a reference (ECMA-376-1, 18.3.1.4). */
  next: number;
}

/** Maximum number of columns of a sheet: `XFD` is the last. */
const MAX_COLUMNS = 16_384;

/** Rows with text that are not hidden, cells as they are shown, in columns that are not hidden (ECMA-376-1, 18.3). @throws {ExtractionFailure} `too_large` */
export const readSheet = (
  xml: string,
  strings: readonly string[],
  formats: CellFormats,
  maxCharacters: number,
): readonly SheetRow[] => {
  const rows: SheetRow[] = [];
  let row: OpenRow = { number: 0, cells: new Map(), next: 0 };
  let cell: Cell | null = null;
  let characters = 0;
  let inValue = false;
  let isHiddenRow = false;
  /** A mark for each column that is; most sheets have none. */
  let hiddenColumns: Uint8Array | null = null;
  const merged: MergedCells[] = [];

  const endCell = (): void => {
    const shown = cell === null ? null : cellText(cell, strings, formats);
    if (cell === null || shown === null || shown.text === '') return;
    const { text, value } = shown;
    row.cells.set(cell.column, { column: cell.column, text, ...(value !== null && { value }) });
    characters += shown.text.length;
    if (characters > maxCharacters)
      throw new ExtractionFailure('too_large', `it has more than ${maxCharacters} characters of text`);
  };
  readXml(xml, {
    open: (name, { r, t, s, hidden: isHidden, min, max, ref }) => {
      inValue = name === 'v' || name === 't';
      if (name === 'row') {
        row = { number: Number(r) || row.number + 1, cells: new Map(), next: 0 };
        isHiddenRow = isTrue(isHidden);
      } else if (name === 'col' && isTrue(isHidden))
        (hiddenColumns ??= new Uint8Array(MAX_COLUMNS)).fill(1, Math.max(0, Number(min) - 1), Number(max));
      else if (name === 'mergeCell' && merged.length < MOST_MERGED) merged.push(...rowsOf(ref));
      else if (name === 'c') {
        const column = columnOf(r) ?? row.next;
        row.next = column + 1;
        const style = Number(s) || 0;
        const isSeen = !isHiddenRow && column < MAX_COLUMNS && hiddenColumns?.[column] !== 1;
        cell = isSeen && !formats.isStruckOut(style) ? { column, type: t ?? 'n', style, raw: '' } : null;
      }
    },
    text: (data) => {
      if (inValue && cell !== null) cell.raw += data;
    },
    close: (name) => {
      inValue = false;
      if (name === 'c') {
        endCell();
        cell = null;
      } else if (name === 'row' && row.cells.size > 0)
        rows.push({ number: row.number, cells: inOrder(row.cells) });
    },
  });
  return withMerged(rows, merged);
};

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

/** `A2:B5`, where it covers several rows. */
const rowsOf = (range: string | undefined): readonly MergedCells[] => {
  const [, from = '', first = '', last = ''] = /^([A-Z]{1,3}(\d+)):[A-Z]{1,3}(\d+)$/.exec(range ?? '') ?? [];
  const column = columnOf(from);
  return column === null || first === last ? [] : [{ column, first: Number(first), last: Number(last) }];
};

const cellText = ({ type, raw, style }: Cell, strings: readonly string[], formats: CellFormats) => {
  const plain = (text: string) => ({ text, value: null });
  // An empty text is not an index: Number('') is 0.
  if (type === 's') return plain(raw.trim() === '' ? '' : (strings[Number(raw)] ?? ''));
  if (type === 'inlineStr' || type === 'str') return plain(unescaped(raw));
  if (type === 'b') return plain(raw === '1' ? 'TRUE' : raw === '0' ? 'FALSE' : raw);
  if (type !== 'n' || raw.trim() === '') return plain(raw);
  const value = Number(raw);
  return Number.isFinite(value) ? formats.show(value, style) : plain(raw);
};

const inOrder = (cells: ReadonlyMap<number, SheetCell>): readonly SheetCell[] =>
  [...cells.values()].toSorted((a, b) => a.column - b.column);

/** `BC12` is column 54, counted from 0. */
const columnOf = (reference: string | undefined): number | null => {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference ?? '')?.[0] ?? '')
    column = 26 * column + letter.charCodeAt(0) - 64;
  return column === 0 ? null : column - 1;
};

/**
 * `_x000D_`: characters that XML cannot contain, by number (ECMA-376-1, 22.9.2.19); `_x005F_` is the underscore itself.
 */
const ESCAPED = /_x([\dA-F]{4})_/gi;

/** Text of a cell as typed, with line feeds. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? withoutMarks(
        text
          .replaceAll(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
          .replaceAll(/\r\n?/g, '\n'),
      ).toWellFormed()
    : text;

/** The number formats of cells, by style index (ECMA-376-1, 18.8). */
interface CellFormats {
  isStruckOut(style: number): boolean;
  /** The displayed number, and its value when that differs. */
  show(value: number, style: number): { readonly text: string; readonly value: string | null };
}

export const readCellFormats = (xml: string | null, since1904: boolean): CellFormats => {
  const { patterns, styles, struckOut } =
    xml === null ? { patterns: new Map<number, string>(), styles: [], struckOut: [] } : readStyles(xml);
  const formats = new Map<number, NumberFormat>();
  const formatOf = (style: number): NumberFormat => {
    const id = styles[style] ?? 0;
    const known = formats.get(id) ?? (id === 0 ? GENERAL : numberFormat(id, patterns.get(id)));
    formats.set(id, known);
    return known;
  };
  return {
    isStruckOut: (style) => struckOut[style] === true,
    show: (value, style) => {
      const format = formatOf(style);
      const text = shownNumber(value, format, since1904);
      const plain = format.isDate ? isoDate(value, since1904) : plainNumber(value);
      return { text, value: plain === text ? null : plain };
    },
  };
};

const readStyles = (xml: string) => {
  const patterns = new Map<number, string>();
  const styles: number[] = [];
  const struckOut: boolean[] = [];
  const fonts: boolean[] = [];
  let inFonts = false;
  let inCells = false;
  readXml(xml, {
    open: (name, { numFmtId, formatCode, fontId, val }) => {
      if (name === 'cellXfs') inCells = true;
      else if (name === 'fonts') inFonts = true;
      else if (name === 'font' && inFonts) fonts.push(false);
      else if (name === 'strike' && inFonts) fonts[fonts.length - 1] = val !== '0' && val !== 'false';
      else if (name === 'numFmt' && formatCode !== undefined) patterns.set(Number(numFmtId), formatCode);
      else if (name === 'xf' && inCells) {
        styles.push(Number(numFmtId ?? 0));
        struckOut.push(fonts[Number(fontId ?? 0)] === true);
      }
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false;
      else if (name === 'fonts') inFonts = false;
    },
  });
  return { patterns, styles, struckOut };
};

interface Formatter {
  readonly SSF: {
    format(format: string | number, value: number, options: { readonly date1904: boolean }): string;
    is_date(format: string): boolean;
    get_table(): Readonly<Record<number, string>>;
  };
}

let loaded: Formatter['SSF'] | undefined;

/** Loaded on demand, because it is a large module. */
const formatter = (): Formatter['SSF'] => {
  loaded ??= (createRequire(import.meta.url)('@e965/xlsx') as Formatter).SSF;
  return loaded;
};

/** The number format of a cell. */
interface NumberFormat {
  /** A built-in number, or a pattern. */
  readonly code: string | number;
  readonly isDate: boolean;
}

const GENERAL: NumberFormat = { code: 0, isDate: false };

/** @param pattern custom pattern of the file; without one, the built-in format of this id */
export const numberFormat = (id: number, pattern: string | undefined): NumberFormat => {
  const code = pattern ?? formatter().get_table()[id];
  if (code === undefined || code === 'General') return GENERAL;
  return { code: pattern ?? id, isDate: code.length < MAX_PATTERN && formatter().is_date(code) };
};

const MAX_PATTERN = 255;

/** The number as a spreadsheet displays it; in its shortest form when its format is not understood. */
const shownNumber = (value: number, { code }: NumberFormat, date1904: boolean): string => {
  if (code !== 0 && !(typeof code === 'string' && code.length >= MAX_PATTERN)) {
    try {
      return formatter().format(code, value, { date1904 }).trim();
    } catch {
      // An invalid custom pattern.
    }
  }
  return plainNumber(value);
};

/** The precision of a spreadsheet: 15 digits (0.1 + 0.2 is 0.3). */
export const plainNumber = (value: number): string => String(Number(value.toPrecision(15)));

const DAY_MS = 86_400_000;
const DAYS_1900_TO_1970 = 25_569;
const DAYS_1904_TO_1970 = 24_107;

/** Spreadsheets count a 29 February 1900, which did not exist; the days before it have the numbers 1 to 59. */
const NO_DAY = 60;

/** A day number in RFC 3339; null for numbers that are not days, such as times, and beyond the year 9999. */
export const isoDate = (value: number, date1904: boolean): string | null => {
  if (!(value >= (date1904 ? 0 : 1))) return null;
  if (!date1904 && Math.floor(value) === NO_DAY) return null;
  const beforeLeapDay = !date1904 && value < NO_DAY ? 1 : 0;
  const days = value + beforeLeapDay - (date1904 ? DAYS_1904_TO_1970 : DAYS_1900_TO_1970);
  const date = new Date(Math.round(days * 86_400) * 1_000);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9_999) return null;
  const text = date.toISOString();
  return date.getTime() % DAY_MS === 0 ? text.slice(0, 10) : `${text.slice(0, 19)}Z`;
};
