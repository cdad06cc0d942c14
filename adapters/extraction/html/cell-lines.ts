import { type End, GAP, type TextBlocks } from './text-blocks.ts';

/** Follows the tables of a page: a cell whose text is one paragraph stays in the line of its row. */
interface CellLines {
  open(name: string): void;
  close(name: string): void;
}

/** Generators put the text of each cell into a paragraph, and the names in a table of options would stand like terms. */
interface OpenTable {
  /** Where the cell began; null: none is open. */
  cell: End | null;
  /** Cells of the row so far that say something. */
  cells: number;
  /** Whether the last cell, and all of its row, are one line each. */
  isLine: boolean;
  isRow: boolean;
  rows: number;
}

export const createCellLines = (blocks: TextBlocks): CellLines => {
  const tables: OpenTable[] = [];
  const endCell = (table: OpenTable): void => {
    if (table.cell === null) return;
    const text = blocks.since(table.cell).trim();
    if (text === '') return;
    const isLine = !text.includes('\n');
    const isBehindLine = table.cells === 0 ? table.rows > 0 && table.isRow : table.isLine;
    if (isLine && isBehindLine) blocks.setApart(table.cell, table.cells === 0 ? GAP.line : GAP.cell);
    table.isRow = isLine && (table.cells === 0 || table.isRow);
    [table.cell, table.cells, table.isLine] = [null, table.cells + 1, isLine];
  };

  return {
    open: (name) => {
      const table = tables.at(-1);
      if (name === 'table') {
        // What holds another table serves the layout.
        if (table !== undefined) [table.cell, table.isLine, table.isRow] = [null, false, false];
        tables.push({ cell: null, cells: 0, isLine: false, isRow: false, rows: 0 });
      } else if (table === undefined) return;
      else if (name === 'tr') [table.rows, table.cells] = [table.rows + (table.cells > 0 ? 1 : 0), 0];
      else if (name === 'td' || name === 'th') table.cell = blocks.end();
    },
    close: (name) => {
      const table = tables.at(-1);
      if (table === undefined) return;
      if (name === 'table') tables.pop();
      else if (name === 'td' || name === 'th') endCell(table);
    },
  };
};
