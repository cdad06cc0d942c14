/** A cell of a table in HTML; its text stands in the first of the places that it covers. */
export interface SpanningCell {
  readonly text: string;
  readonly columns: number;
  /** Rows of its group; 0: all that are left. */
  readonly rows: number;
}
export interface SpanningRow {
  readonly cells: readonly SpanningCell[];
  /** Cells end with their group of rows (`thead`, `tbody`, `tfoot`). */
  readonly group: number;
}

/** A table with more places than so many for each cell is nearly empty: it would be all bars. */
const PLACES = 10_000;
const PLACES_PER_CELL = 20;

/**
 * Gives each cell its column, as WHATWG HTML 4.9.12 forms a table: the first that no cell before it covers, also not one
 * of a row above. Places without a text of their own are empty.
 *
 * @returns rows of the same length; null: it is nearly empty
 */
export const layOut = (rows: readonly SpanningRow[]): readonly (readonly string[])[] | null => {
  const count = rows.reduce((sum, { cells }) => sum + cells.length, 0);
  const most = Math.max(PLACES, PLACES_PER_CELL * count);
  const lines: string[][] = [];
  /** By column, how many rows more it is covered from above. */
  let covered: number[] = [];
  let places = 0;
  for (const [at, { cells, group }] of rows.entries()) {
    if (group !== rows[at - 1]?.group) covered = [];
    const line = covered.map(() => '');
    const next = covered.map((left) => Math.max(0, left - 1));
    let column = 0;
    for (const cell of cells) {
      while ((covered[column] ?? 0) > 0) column += 1;
      for (let i = 0; i < cell.columns; i += 1)
        line[column + i] = i === 0 ? cell.text : (line[column + i] ?? '');
      const below = (cell.rows === 0 ? Infinity : cell.rows) - 1;
      for (let i = 0; i < cell.columns; i += 1) next[column + i] = Math.max(next[column + i] ?? 0, below);
      column += cell.columns;
      if (places + line.length > most) return null;
    }
    covered = next;
    lines.push(line);
    places += line.length;
  }
  const width = Math.max(0, ...lines.map(({ length }) => length));
  if (width * lines.length > most) return null;
  return lines.map((line) => Array.from({ length: width }, (_, i) => line[i] ?? ''));
};
