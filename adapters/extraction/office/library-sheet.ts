import { openZip } from '../archive/zip.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { isoDate, numberFormat, plainNumber } from './xlsx/sheet.ts';
import { openPackage } from './package.ts';
import { readProperties } from './properties.ts';
import { withMerged } from '../rows/merged-cells.ts';
import { type Sheet, type SheetCell, type SheetRow, type Workbook, commentLine } from './workbook.ts';
import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx';

/** Includes its code pages; otherwise texts of Excel 5 and 95 would all be decoded as Western European. */
export const loadLibrary = async () => {
  const [library, codePages] = await Promise.all([
    import('@e965/xlsx'),
    import('@e965/xlsx/dist/cpexcel.full.mjs'),
  ]);
  library.set_cptable(codePages);
  return library;
};

export const READ_OPTIONS = {
  type: 'buffer',
  dense: true,
  cellFormula: false,
  cellHTML: false,
  cellNF: true,
  // Without it the columns of older files have no properties.
  cellStyles: true,
} as const;

interface SheetOptions {
  readonly name: string;
  readonly number: number;
  readonly since1904: boolean;
  readonly maxCharacters: number;
}

/** Iterates over existing rows and cells: the range of a sheet may have a billion cells. */
export const librarySheet = (
  sheet: WorkSheet,
  { name, number, since1904, maxCharacters }: SheetOptions,
): Sheet => {
  const rows: SheetRow[] = [];
  const beside: string[] = [];
  let characters = 0;
  const data = (sheet['!data'] ?? []) as readonly (readonly (CellObject | undefined)[] | undefined)[];
  for (const [index, cellsOfRow] of Object.entries(data)) {
    const cells: SheetCell[] = [];
    if (sheet['!rows']?.[Number(index)]?.hidden === true) continue;
    for (const [column, cell] of Object.entries(cellsOfRow ?? [])) {
      if (cell === undefined || sheet['!cols']?.[Number(column)]?.hidden === true) continue;
      const { text, value } = shown(cell, since1904);
      for (const { t = '', a = '' } of cell.c ?? []) {
        const line = commentLine(a, t);
        if (line !== '') beside.push(line);
      }
      if (text === '') continue;
      cells.push({ column: Number(column), text, ...(value !== null && { value }) });
      characters += text.length;
    }
    if (characters > maxCharacters)
      throw new ExtractionFailure('too_large', `it has more than ${maxCharacters} characters of text`);
    if (cells.length > 0) rows.push({ number: Number(index) + 1, cells });
  }
  const merged = (sheet['!merges'] ?? []).map(({ s, e }) => ({ column: s.c, first: s.r + 1, last: e.r + 1 }));
  return { name, number, rows: withMerged(rows, merged), beside };
};

/** Whether a sheet of a workbook is hidden. */
export const isHiddenSheet = (book: WorkBook, index: number): boolean =>
  (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0;

const shown = ({ t, v, w, z }: CellObject, since1904: boolean) => {
  const text = String(w ?? v ?? '').trim();
  if (t !== 'n' || typeof v !== 'number') return { text, value: null };
  const isDate =
    z !== undefined && numberFormat(Number(z) || 0, typeof z === 'string' ? z : undefined).isDate;
  const value = isDate ? isoDate(v, since1904) : plainNumber(v);
  return { text, value: value === text ? null : value };
};

/**
 * Cells of a workbook with binary parts as displayed, with their comments.
 *
 * @throws {ExtractionFailure} as `openZip` and its `read`, `parser_failed`; `too_large` from `sheets`
 */
export const openXlsb = async (bytes: Buffer, maxCharacters: number): Promise<Workbook> => {
  const zip = openZip(bytes);
  // The library has no limits: a part that decompresses to too much is refused here.
  for (const name of zip.names) zip.read(name);
  const book = await readBook(bytes);
  const since1904 = book.Workbook?.WBProps?.date1904 === true;
  return {
    ...readProperties(openPackage(bytes)),
    sheets: function* () {
      for (const [index, name] of book.SheetNames.entries()) {
        if (isHiddenSheet(book, index)) continue;
        yield librarySheet(book.Sheets[name] ?? {}, { name, number: index + 1, since1904, maxCharacters });
      }
    },
  };
};

const readBook = async (bytes: Buffer): Promise<WorkBook> => {
  const { read } = await loadLibrary();
  try {
    return read(bytes, READ_OPTIONS);
  } catch (error) {
    throw new ExtractionFailure('parser_failed', 'it is not readable as a workbook', { cause: error });
  }
};
