/** Rows of cells as a table in Markdown (GitHub Flavored Markdown, section 4.10). */

/** Text at a column, counted from 0. */
export interface TableCell {
  readonly column: number;
  readonly text: string;
}

/**
 * A long table is split after this many characters, and continues under a repeated header, so that chunks keep the
 * columns. Two parts fit into a chunk.
 */
const PART_CHARACTERS = 450;
/** A longer header would crowd out the rows. */
const MAX_HEADER = 200;
/** A large table with more positions per cell is nearly empty, and would be all bars. */
const PLACES = 10_000;
const PLACES_PER_CELL = 20;

/** So many lines at most stand above the header of a table. */
const MAX_TITLES = 10;

/**
 * How many rows above the header are titles: those with a single cell, where a row with several follows and is not the last.
 */
export const titleRows = (rows: readonly (readonly unknown[])[]): number => {
  const header = rows.findIndex((cells) => cells.length > 1);
  return header > 0 && header <= MAX_TITLES && header < rows.length - 1 ? header : 0;
};

/**
 * The first row becomes the header, behind titles as lines of their own. Columns without any text are left out; a table of one column or of one row becomes
 * lines, and so does one that is nearly empty. A long table is written in parts, a paragraph each, and each of them under
 * the header. Takes time and memory by the number of cells, not by how far apart they lie.
 *
 * @param rows cells by column, without duplicates; a plain text is at its index in the row
 * @param maxCharacters rows after so many characters are left out
 */
export const markdownTable = (
  rows: readonly (readonly (string | TableCell)[])[],
  maxCharacters = Infinity,
): string => {
  const all = rows.map(cellsWithText).filter((cells) => cells.length > 0);
  const titles = titleRows(all);
  const lines = all.slice(titles);
  const used = new Set(lines.flatMap((cells) => cells.map(({ column }) => column)));
  const columns = [...used].toSorted((a, b) => a - b);
  const count = lines.reduce((sum, cells) => sum + cells.length, 0);
  const places = lines.length * columns.length;
  if (columns.length < 2 || lines.length < 2 || places > Math.max(PLACES, PLACES_PER_CELL * count))
    return all.map((cells) => cells.map(({ text }) => text).join(' | ')).join('\n');
  const place = new Map(columns.map((column, index) => [column, index]));
  const tableLine = (cells: readonly TableCell[]): string => {
    const row = columns.map(() => '');
    for (const { column, text } of cells) row[place.get(column)!] = text;
    return `| ${row.join(' | ')} |`;
  };
  const [header, ...body] = lines;
  const head = `${tableLine(header!)}\n|${' --- |'.repeat(columns.length)}`;
  const above = all.slice(0, titles).map(([cell]) => cell!.text);
  return [above.join('\n'), inParts(head, body, tableLine, maxCharacters)]
    .filter((part) => part !== '')
    .join('\n\n');
};

const inParts = (
  head: string,
  body: readonly (readonly TableCell[])[],
  tableLine: (cells: readonly TableCell[]) => string,
  maxCharacters: number,
): string => {
  const parts: string[] = [];
  let part = head;
  let characters = 0;
  for (const cells of body) {
    const line = tableLine(cells);
    if (part.length > head.length && part.length + line.length > PART_CHARACTERS) {
      parts.push(part);
      part = head.length > MAX_HEADER ? '' : head;
    }
    part += part === '' ? line : `\n${line}`;
    characters += line.length;
    if (characters > maxCharacters) break;
  }
  return [...parts, part].join('\n\n');
};

const cellsWithText = (cells: readonly (string | TableCell)[]): readonly TableCell[] =>
  cells.flatMap((cell, index) => {
    const placed = typeof cell === 'string' ? { column: index, text: cell } : cell;
    const text = cellText(placed.text);
    if (text === '') return [];
    // Large tables have millions of cells, most of which are unchanged.
    return text === placed.text ? placed : { column: placed.column, text };
  });

const cellText = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
    .replaceAll('|', '\\|');
