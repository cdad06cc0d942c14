import { ExtractionFailure } from '../../extraction-failure.ts';
import { readXml } from '../../xml/read-xml.ts';
import type { SheetRow } from '../workbook.ts';
import type { CellFormats } from './cell-formats.ts';

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  raw: string;
}

interface OpenRow {
  readonly number: number;
  readonly cells: (string | undefined)[];
  readonly values: Map<number, string>;
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
  let row: OpenRow = { number: 0, cells: [], values: new Map() };
  let cell: Cell | null = null;
  let characters = 0;
  let inValue = false;

  const endCell = (): void => {
    const shown = cell === null ? null : cellText(cell, strings, formats);
    if (cell === null || shown === null || shown.text === '') return;
    row.cells[cell.column] = shown.text;
    if (shown.value !== null) row.values.set(cell.column, shown.value);
    characters += shown.text.length;
    if (characters > maxCharacters)
      throw new ExtractionFailure('too_large', `it has more than ${maxCharacters} characters of text`);
  };
  readXml(xml, {
    open: (name, { r, t, s }) => {
      inValue = name === 'v' || name === 't';
      if (name === 'row') row = { number: Number(r) || row.number + 1, cells: [], values: new Map() };
      else if (name === 'c') {
        const column = columnOf(r) ?? row.cells.length;
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
      } else if (name === 'row' && row.cells.length > 0) rows.push(row);
    },
  });
  return rows;
};

const cellText = ({ type, raw, style }: Cell, strings: readonly string[], formats: CellFormats) => {
  const plain = (text: string) => ({ text, value: null });
  if (type === 's') return plain(strings[Number(raw)] ?? '');
  if (type === 'b') return plain(raw === '1' ? 'TRUE' : raw === '0' ? 'FALSE' : raw);
  if (type !== 'n' || raw.trim() === '') return plain(raw);
  const value = Number(raw);
  return Number.isFinite(value) ? formats.show(value, style) : plain(raw);
};

/** `BC12` is column 54, counted from 0. */
const columnOf = (reference: string | undefined): number | null => {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference ?? '')?.[0] ?? '')
    column = 26 * column + letter.charCodeAt(0) - 64;
  return column === 0 ? null : column - 1;
};
