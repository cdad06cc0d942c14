import type { CompoundFile } from '../../archive/compound-file.ts';
import { ExtractionFailure } from '../../extraction-failure.ts';
import { commentLine } from '../comment-line.ts';
import { isoDate, numberFormat, plainNumber } from '../number-format.ts';
import type { Sheet, SheetCell, SheetRow, Workbook } from '../workbook.ts';
import { drawnText } from './drawn-text.ts';
import { openWorkbookStream, withoutLinks } from './workbook-stream.ts';
import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx';

/**
 * Cells of an Excel workbook from before 2007 as they are shown, with their comments; text of shapes and charts stands
 * beside the last sheet.
 *
 * @throws {ExtractionFailure} `encrypted`, `parser_failed`; `too_large` from `sheets`
 */
export const openXls = async (source: Buffer | CompoundFile, maxCharacters: number): Promise<Workbook> => {
  const { stream, title } = openWorkbookStream(source);
  const book = await readBook(stream);
  const since1904 = book.Workbook?.WBProps?.date1904 === true;
  return {
    title,
    language: null,
    sheets: function* () {
      for (const [index, name] of book.SheetNames.entries()) {
        const sheet = readSheet(book.Sheets[name] ?? {}, {
          name,
          number: index + 1,
          since1904,
          maxCharacters,
        });
        const isLast = index === book.SheetNames.length - 1;
        yield isLast ? { ...sheet, beside: [...sheet.beside, ...drawnText(stream)] } : sheet;
      }
    },
  };
};

/** With its code pages, or texts of Excel 5 and 95 would all be taken for Western ones. */
const loadLibrary = async () => {
  const [library, codePages] = await Promise.all([
    import('@e965/xlsx'),
    import('@e965/xlsx/dist/cpexcel.full.mjs'),
  ]);
  library.set_cptable(codePages);
  return library;
};

const readBook = async (stream: Buffer): Promise<WorkBook> => {
  const { read } = await loadLibrary();
  const options = { type: 'buffer', dense: true, cellFormula: false, cellHTML: false, cellNF: true } as const;
  try {
    return read(withoutLinks(stream), options);
  } catch (error) {
    const { message } = error as Error;
    if (/password|encrypt/i.test(message))
      throw new ExtractionFailure('encrypted', 'the workbook needs a password', { cause: error });
    throw new ExtractionFailure('parser_failed', 'it is not readable as a workbook', { cause: error });
  }
};

interface SheetOptions {
  readonly name: string;
  readonly number: number;
  readonly since1904: boolean;
  readonly maxCharacters: number;
}

/** By the rows and cells that there are: a table over the range of the sheet would have a billion of them. */
const readSheet = (sheet: WorkSheet, { name, number, since1904, maxCharacters }: SheetOptions): Sheet => {
  const rows: SheetRow[] = [];
  const beside: string[] = [];
  let characters = 0;
  const data = (sheet['!data'] ?? []) as readonly (readonly (CellObject | undefined)[] | undefined)[];
  for (const [index, cellsOfRow] of Object.entries(data)) {
    const cells: SheetCell[] = [];
    for (const [column, cell] of Object.entries(cellsOfRow ?? [])) {
      if (cell === undefined) continue;
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
  return { name, number, rows, beside };
};

const shown = ({ t, v, w, z }: CellObject, since1904: boolean) => {
  const text = String(w ?? v ?? '').trim();
  if (t !== 'n' || typeof v !== 'number') return { text, value: null };
  const isDate =
    z !== undefined && numberFormat(Number(z) || 0, typeof z === 'string' ? z : undefined).isDate;
  const value = isDate ? isoDate(v, since1904) : plainNumber(v);
  return { text, value: value === text ? null : value };
};
