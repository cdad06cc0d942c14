import { ExtractionFailure } from '../../extraction-failure.ts';
import { readXml } from '../../xml/read-xml.ts';
import type { SheetCell, SheetRow } from '../workbook.ts';
import type { CellFormats } from './cell-formats.ts';
import { unescaped } from './escaped-text.ts';

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  raw: string;
}

interface OpenRow {
  readonly number: number;
  readonly cells: Map<number, SheetCell>;
  /** Of the next cell that does not say where it is (ECMA-376-1, 18.3.1.4). */
  next: number;
}

/** Columns that a sheet can have: `XFD` is the last. */
const MAX_COLUMNS = 16_384;

/** Rows with text, cells as they are shown (ECMA-376-1, 18.3). @throws {ExtractionFailure} `too_large` */
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
    open: (name, { r, t, s }) => {
      inValue = name === 'v' || name === 't';
      if (name === 'row') row = { number: Number(r) || row.number + 1, cells: new Map(), next: 0 };
      else if (name === 'c') {
        const column = columnOf(r) ?? row.next;
        row.next = column + 1;
        cell = column < MAX_COLUMNS ? { column, type: t ?? 'n', style: Number(s) || 0, raw: '' } : null;
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
  return rows;
};

const cellText = ({ type, raw, style }: Cell, strings: readonly string[], formats: CellFormats) => {
  const plain = (text: string) => ({ text, value: null });
  // Nothing is no index: Number('') is 0.
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
