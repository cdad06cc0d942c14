/** Rows of cells as a table in Markdown (GitHub Flavored Markdown, section 4.10). */

/** Characters after which a long table is set apart and begins anew under its header: what is cut keeps
 * its columns. Two parts fit a chunk. */
const PART_CHARACTERS = 450;
/** A longer header would crowd out the rows. */
const MOST_HEADER = 200;

/**
 * The first row becomes the header. Columns without any text are left out; a table of one column or of one row becomes
 * lines. A long table is written in parts, a paragraph each, and each of them under the header.
 *
 * @param rows cells by column; rows may be of different lengths, and columns may be missing
 */
export const markdownTable = (rows: readonly (readonly (string | undefined)[])[]): string => {
  const columns = usedColumns(rows);
  const lines = rows
    .map((row) => columns.map((column) => cellText(row[column])))
    .filter((cells) => cells.some((cell) => cell !== ''));
  const [header, ...body] = lines;
  if (header === undefined) return '';
  if (columns.length === 1 || body.length === 0)
    return lines.map((cells) => cells.filter((cell) => cell !== '').join(' | ')).join('\n');
  const rule = `|${' --- |'.repeat(columns.length)}`;
  const head = `${tableLine(header)}\n${rule}`;
  const parts: string[] = [];
  let part = head;
  for (const cells of body) {
    const line = tableLine(cells);
    if (part.length > head.length && part.length + line.length > PART_CHARACTERS) {
      parts.push(part);
      part = head.length > MOST_HEADER ? '' : head;
    }
    part += part === '' ? line : `\n${line}`;
  }
  return [...parts, part].join('\n\n');
};

const usedColumns = (rows: readonly (readonly (string | undefined)[])[]): readonly number[] => {
  const used = new Set<number>();
  for (const row of rows)
    row.forEach((cell, column) => {
      if (cell !== undefined && cell.trim() !== '') used.add(column);
    });
  return [...used].toSorted((a, b) => a - b);
};

const cellText = (text: string | undefined): string =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
    .replaceAll('|', '\\|');

const tableLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
