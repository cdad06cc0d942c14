import type { SheetCell, SheetRow } from '../office/workbook.ts';

/** Cells of a sheet that are shown as one: rows as the sheet numbers them, from 1, the column from 0. */
export interface MergedCells {
  readonly column: number;
  readonly first: number;
  readonly last: number;
}

/** A longer text is told once. */
const LONGEST = 100;
/** Characters that a sheet may get by telling texts again. */
const MOST = 1_000_000;
/** More are not looked at. */
export const MOST_MERGED = 50_000;

/** The rows with what a cell over several of them says in each, so that what stands beside it is told with it. */
export const withMerged = (
  rows: readonly SheetRow[],
  merged: readonly MergedCells[],
): readonly SheetRow[] => {
  const places = new Map(rows.map(({ number }, index) => [number, index]));
  const added = new Map<number, SheetCell[]>();
  let left = MOST;
  for (const { column, first, last } of merged.slice(0, MOST_MERGED)) {
    const from = places.get(first);
    const cell = from === undefined ? undefined : rows[from]!.cells.find((one) => one.column === column);
    if (from === undefined || cell === undefined || cell.text.length > LONGEST) continue;
    for (let at = from + 1; at < rows.length && rows[at]!.number <= last; at += 1) {
      left -= cell.text.length + 1;
      if (left < 0) return withAdded(rows, added);
      const more = added.get(at) ?? [];
      more.push(cell);
      added.set(at, more);
    }
  }
  return withAdded(rows, added);
};

const withAdded = (
  rows: readonly SheetRow[],
  added: ReadonlyMap<number, readonly SheetCell[]>,
): readonly SheetRow[] =>
  rows.map((row, at) => {
    const own = new Set(row.cells.map(({ column }) => column));
    const more = (added.get(at) ?? []).filter(({ column }) => !own.has(column) && own.add(column));
    return more.length === 0
      ? row
      : { ...row, cells: [...row.cells, ...more].toSorted((a, b) => a.column - b.column) };
  });
