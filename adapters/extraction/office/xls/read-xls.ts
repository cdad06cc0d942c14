import { isCompoundFile, openCompoundFile } from '../../archive/compound-file.ts';
import { ExtractionFailure } from '../../extraction-failure.ts';
import { isoDate, numberFormat, plainNumber } from '../number-format.ts';
import { isPlaceholder } from '../properties.ts';
import type { Sheet, SheetCell, SheetRow, Workbook } from '../workbook.ts';
import { drawnText } from './drawn-text.ts';
import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx';

/**
 * Cells of an Excel workbook from before 2007 as they are shown, with their comments; text of shapes and charts stands
 * beside the last sheet.
 *
 * @throws {ExtractionFailure} `encrypted`, `parser_failed`; `too_large` from `sheets`
 */
export const openXls = async (bytes: Buffer, maxCharacters: number): Promise<Workbook> => {
  const book = await readBook(bytes);
  const since1904 = book.Workbook?.WBProps?.date1904 === true;
  const title = typeof book.Props?.Title === 'string' ? book.Props.Title.trim() : '';
  return {
    title: title === '' || isPlaceholder(title) ? null : title,
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
        yield isLast ? { ...sheet, beside: [...sheet.beside, ...drawn(bytes)] } : sheet;
      }
    },
  };
};

/** Before Excel 5 a workbook was its stream alone, and had no shapes. */
const drawn = (bytes: Buffer): readonly string[] => {
  if (!isCompoundFile(bytes)) return [];
  const file = openCompoundFile(bytes);
  return drawnText(file.read('Workbook') ?? file.read('Book') ?? Buffer.alloc(0));
};

const readBook = async (bytes: Buffer): Promise<WorkBook> => {
  const { read } = await import('@e965/xlsx');
  try {
    return read(bytes, { type: 'buffer', dense: true, cellFormula: false, cellHTML: false, cellNF: true });
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
      for (const { t } of (cell.c ?? []) as readonly { readonly t?: string }[]) {
        if (t !== undefined && t.trim() !== '') beside.push(`Comment: ${t.replaceAll(/\s+/g, ' ').trim()}`);
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
