import { parseCrawlUrl } from '../../../domain/crawl/crawl-scope.ts';
import { GAP, type Mark, type TextBlocks } from './text-blocks.ts';
import { type Attributes, wholeIn } from './tags.ts';

/** Writes what the text of a page leaves out as GitHub Flavored Markdown: where links lead, tables and
 * code. */
export interface MarkdownMarks {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
}

interface OpenRow extends SpanningRow {
  readonly cells: SpanningCell[];
  isHeader: boolean;
}
interface OpenTable {
  start: Mark | null;
  readonly rows: OpenRow[];
  group: number;
  cell: { readonly start: Mark; readonly columns: number; readonly rows: number } | null;
  /** A table that contains another table is used for layout. */
  plain: boolean;
}

/** @param baseOf what relative addresses start from by now; null: only absolute ones are written */
export const createMarkdownMarks = (blocks: TextBlocks, baseOf: () => string | null): MarkdownMarks => {
  const tables: OpenTable[] = [];
  let code: Mark | null = null;

  return {
    open: (name, attributes) => {
      if (name === 'a' && code === null) blocks.link(targetOf(attributes.href, baseOf()));
      else if (name === 'pre' && tables.length === 0) code ??= blocks.mark();
      else if (name === 'table') {
        for (const table of tables) table.plain = false;
        tables.push({ start: null, rows: [], group: 0, cell: null, plain: true });
      } else openPart(name, attributes, tables.at(-1), blocks);
    },
    close: (name) => {
      const table = tables.at(-1);
      if (name === 'a') blocks.link(null);
      else if (name === 'pre' && code !== null) {
        const said = blocks.saidSince(code);
        if (said !== '') blocks.restate(code, fenced(said));
        code = null;
      } else if (name === 'table' && table !== undefined) {
        tables.pop();
        const written = isData(table) ? tableOf(table) : null;
        if (table.start !== null && written !== null) blocks.restate(table.start, written);
      } else if ((name === 'td' || name === 'th') && table !== undefined && table.cell !== null) {
        const { start, columns, rows } = table.cell;
        table.rows.at(-1)?.cells.push({ text: blocks.saidSince(start), columns, rows });
        table.cell = null;
      }
    },
  };
};

/** What a cell may cover by WHATWG HTML, 4.9.11. */
const MAX_COLUMNS = 1_000;
const MAX_ROWS = 65_534;

const openPart = (
  name: string,
  attributes: Attributes,
  table: OpenTable | undefined,
  blocks: TextBlocks,
): void => {
  if (table === undefined) return;
  if (name === 'tr') {
    // A caption is not part of the table.
    if (table.start === null) blocks.gap(GAP.paragraph);
    table.start ??= blocks.mark();
    table.rows.push({ cells: [], isHeader: false, group: table.group });
  } else if (name === 'td' || name === 'th') {
    const columns = Math.min(Math.max(wholeIn(attributes.colspan) ?? 1, 1), MAX_COLUMNS);
    const rows = Math.min(Math.max(wholeIn(attributes.rowspan) ?? 1, 0), MAX_ROWS);
    table.cell = { start: blocks.mark(), columns, rows };
    const row = table.rows.at(-1);
    if (row !== undefined && name === 'th') row.isHeader = true;
  } else if (name === 'thead' || name === 'tbody' || name === 'tfoot') table.group += 1;
};

const isData = ({ rows, plain }: OpenTable): boolean =>
  plain && rows.length > 1 && rows.some(({ cells }) => cells.length > 1);

/** Null when the table is nearly empty. */
const tableOf = ({ rows }: OpenTable): string | null => {
  const laidOut = layOut(rows);
  if (laidOut === null) return null;
  const [first = [], ...others] = laidOut;
  const line = (cells: readonly string[]): string => `| ${cells.map(cellOf).join(' | ')} |`;
  const hasHeader = rows[0]?.isHeader === true;
  const header = hasHeader ? first : first.map(() => '');
  const rule = `|${' --- |'.repeat(first.length)}`;
  return [line(header), rule, ...(hasHeader ? others : laidOut).map(line)].join('\n');
};

const cellOf = (said: string): string => said.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();

/** Uses more backticks than any run in the code. */
const fenced = (code: string): string => {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}\n${code.replace(/^\n/, '').trimEnd()}\n${fence}`;
};

/** Null when it leads nowhere, or to an anchor in the same page. */
const targetOf = (href: string | undefined, base: string | null): string | null => {
  const written = href?.trim() ?? '';
  if (written === '' || written.startsWith('#')) return null;
  const parsed = parseCrawlUrl(written, base ?? undefined);
  if (!parsed.ok) return null;
  const { hash } = new URL(written, base ?? undefined);
  return `${parsed.url.href}${hash}`.replaceAll(/[()|]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
};

/** A cell of a table in HTML; its text stands in the first column that it covers, and there in each row. */
interface SpanningCell {
  readonly text: string;
  readonly columns: number;
  /** Rows of its group; 0 for all remaining rows. */
  readonly rows: number;
}
interface SpanningRow {
  readonly cells: readonly SpanningCell[];
  /** Cells end with their row group (`thead`, `tbody`, `tfoot`). */
  readonly group: number;
}

/** A table with more positions per cell is nearly empty, and would be all bars. */
const PLACES = 10_000;
const PLACES_PER_CELL = 20;
/** A longer text stands in the first row alone. */
const TOLD_AGAIN = 100;

/**
 * Gives each cell its column, as WHATWG HTML 4.9.12 forms a table: the first that no cell before it covers, also not one
 * of a row above. Places without a text are empty, and so are further rows of a cell with much text.
 *
 * @returns rows of equal length; null when nearly empty
 */
const layOut = (rows: readonly SpanningRow[]): readonly (readonly string[])[] | null => {
  const count = rows.reduce((sum, { cells }) => sum + cells.length, 0);
  const most = Math.max(PLACES, PLACES_PER_CELL * count);
  const lines: string[][] = [];
  /** By column, the number of further rows that a cell from above spans. */
  let covered: number[] = [];
  let texts: string[] = [];
  let places = 0;
  for (const [at, { cells, group }] of rows.entries()) {
    if (group !== rows[at - 1]?.group) covered = [];
    const line = covered.map((left, column) => (left > 0 ? (texts[column] ?? '') : ''));
    const below: string[] = [...line];
    const next = covered.map((left) => Math.max(0, left - 1));
    let column = 0;
    for (const cell of cells) {
      while ((covered[column] ?? 0) > 0) column += 1;
      for (let i = 0; i < cell.columns; i += 1)
        line[column + i] = i === 0 ? cell.text : (line[column + i] ?? '');
      const left = (cell.rows === 0 ? Infinity : cell.rows) - 1;
      for (let i = 0; i < cell.columns; i += 1) {
        next[column + i] = Math.max(next[column + i] ?? 0, left);
        below[column + i] = i === 0 && cell.text.length <= TOLD_AGAIN ? cell.text : '';
      }
      column += cell.columns;
      if (places + line.length > most) return null;
    }
    [covered, texts] = [next, below];
    lines.push(line);
    places += line.length;
  }
  const width = Math.max(0, ...lines.map(({ length }) => length));
  if (width * lines.length > most) return null;
  return lines.map((line) => Array.from({ length: width }, (_, i) => line[i] ?? ''));
};
