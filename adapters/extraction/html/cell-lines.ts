import { type Attributes, wholeIn } from './tags.ts';
import { type End, GAP, type TextBlocks } from './text-blocks.ts';

/**
 * Follows the tables of a page: a cell whose text is one paragraph stays in the line of its row, and one that covers several
 * rows stands in each of them, so that what stands beside it keeps its column.
 */
interface CellLines {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
}

/**
 * Generators wrap the text of each cell in a paragraph; without this rule, the names in a table of options would look
 * like terms.
 */
interface OpenTable {
  /** Start of the open cell; null when none is open. */
  cell: End | null;
  /** What the open cell covers. */
  columns: number;
  spannedRows: number;
  /** Cells of the row so far that say something. */
  cells: number;
  /** Whether the last cell, and all of its row, are one line each. */
  isLine: boolean;
  isRow: boolean;
  rows: number;
  /** The column of the next cell. */
  column: number;
  /** Columns that nothing stands in since the last text of the row. */
  empty: number;
  /** Cells from rows above, by the first column that they cover. */
  covering: Map<number, Covering>;
}

interface Covering {
  readonly text: string;
  readonly columns: number;
  /** Of its group; how many are left. */
  rows: number;
}

/** A longer text is told once. */
const LONGEST = 100;
/** WHATWG HTML 4.9.11 allows more, and a page may claim them for nothing. */
const MOST_COLUMNS = 100;
/** Characters that a page may get by telling texts again. */
const MOST_TOLD_AGAIN = 200_000;

export const createCellLines = (blocks: TextBlocks): CellLines => {
  const tables: OpenTable[] = [];
  let toldAgain = 0;

  const startCell = (table: OpenTable, columns: number, rows: number): void => {
    for (; table.empty > 0 && table.cells > 0 && table.isLine; table.empty -= 1) {
      blocks.gap(GAP.cell);
      blocks.text('|');
      blocks.gap(GAP.space);
    }
    [table.cell, table.columns, table.spannedRows, table.empty] = [blocks.end(), columns, rows, 0];
  };
  const endCell = (table: OpenTable): void => {
    if (table.cell === null) return;
    const said = blocks.since(table.cell).replace(/^ \| /, '').trim();
    const { columns, spannedRows: rows } = table;
    if (rows > 1 && said.length <= LONGEST && !said.includes('\n'))
      table.covering.set(table.column, { text: said, columns, rows });
    table.column += columns;
    if (said === '') return;
    table.empty = columns - 1;
    const isLine = !said.includes('\n');
    const isBehindLine = table.cells === 0 ? table.rows > 0 && table.isRow : table.isLine;
    if (isLine && isBehindLine) blocks.setApart(table.cell, table.cells === 0 ? GAP.line : GAP.cell);
    table.isRow = isLine && (table.cells === 0 || table.isRow);
    [table.cell, table.cells, table.isLine] = [null, table.cells + 1, isLine];
  };
  /** Says what covers the next column from above. */
  const tellAgain = (table: OpenTable): void => {
    for (let from = table.covering.get(table.column); from !== undefined;) {
      toldAgain += from.text.length + 3;
      if (from.text === '' || toldAgain > MOST_TOLD_AGAIN) table.column += from.columns;
      else {
        if (table.cells > 0) blocks.gap(GAP.cell);
        startCell(table, from.columns, 1);
        blocks.text(from.text);
        endCell(table);
      }
      from = table.covering.get(table.column);
    }
  };
  const endRow = (table: OpenTable): void => {
    if (table.cells > 0) tellAgain(table);
    for (const [column, covering] of table.covering)
      if ((covering.rows -= 1) === 0) table.covering.delete(column);
    if (table.cells > 0) table.rows += 1;
    [table.cells, table.column, table.empty] = [0, 0, 0];
  };

  return {
    open: (name, attributes) => {
      const table = tables.at(-1);
      if (name === 'table') {
        // A table that contains another table is used for layout.
        if (table !== undefined) [table.cell, table.isLine, table.isRow] = [null, false, false];
        tables.push(newTable());
      } else if (table === undefined) return;
      else if (name === 'thead' || name === 'tbody' || name === 'tfoot') table.covering.clear();
      else if (name === 'td' || name === 'th') {
        tellAgain(table);
        if (table.cells > 0) blocks.gap(GAP.cell);
        const columns = Math.min(Math.max(wholeIn(attributes.colspan) ?? 1, 1), MOST_COLUMNS);
        const rows = Math.max(wholeIn(attributes.rowspan) ?? 1, 0);
        startCell(table, columns, rows === 0 ? Infinity : rows);
      }
    },
    close: (name) => {
      const table = tables.at(-1);
      if (table === undefined) return;
      if (name === 'table') tables.pop();
      else if (name === 'td' || name === 'th') endCell(table);
      else if (name === 'tr') endRow(table);
    },
  };
};

const newTable = (): OpenTable => ({
  cell: null,
  columns: 1,
  spannedRows: 1,
  cells: 0,
  isLine: false,
  isRow: false,
  rows: 0,
  column: 0,
  empty: 0,
  covering: new Map(),
});
