import type { SheetCell, SheetRow } from '../office/workbook.ts';

/**
 * Rows of values with commas, semicolons, tabs or bars between them, and quotes around those that hold such (RFC 4180).
 * Empty rows are left out. A first line may declare another separator: `sep=;`.
 */
export const separatedValues = (text: string): readonly SheetRow[] => {
  const declared = DECLARATION.exec(text);
  const separator = declared?.[1] ?? separatorOf(text);
  const rows: SheetRow[] = [];
  let cells: SheetCell[] = [];
  let column = 0;
  let line = declared === null ? 1 : 2;
  let start = line;
  const endRow = (): void => {
    if (cells.length > 0) rows.push({ number: start, cells });
    [cells, column] = [[], 0];
  };
  for (let at = declared?.[0].length ?? 0; at < text.length;) {
    const quoted = text[at] === '"' ? readQuoted(text, at) : null;
    const end = nextMark(text, quoted?.end ?? at, separator);
    const rest = text.slice(quoted?.end ?? at, end);
    const value = quoted === null ? rest.trim() : quoted.value + rest.trimEnd();
    if (value !== '') cells.push({ column, text: value });
    column += 1;
    line += quoted?.lines ?? 0;
    const mark = text[end];
    at = end + (mark === '\r' && text[end + 1] === '\n' ? 2 : 1);
    if (mark === separator) continue;
    endRow();
    line += 1;
    start = line;
  }
  endRow();
  return rows;
};

/** A first line by which Excel knows the separator, and which it does not show. */
const DECLARATION = /^\ufeff?"?sep=([^\r\n])"?[ \t]*(?:\r\n?|\n|$)/i;

/** The one that is most frequent outside of quotes in the first line. */
const separatorOf = (text: string): string => {
  const first = (/^[^\r\n]*/.exec(text)?.[0] ?? '').slice(0, 10_000).replaceAll(/"[^"]*"/g, '');
  const count = (separator: string): number => first.split(separator).length;
  return [',', ';', '\t', '|'].reduce((best, separator) =>
    count(separator) > count(best) ? separator : best,
  );
};

const readQuoted = (text: string, at: number) => {
  let value = '';
  for (let from = at + 1; ;) {
    const quote = text.indexOf('"', from);
    // An unclosed quote is an ordinary character.
    if (quote === -1) return null;
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1, lines: value.split('\n').length - 1 };
    value += '"';
    from = quote + 2;
  }
};

const nextMark = (text: string, from: number, separator: string): number => {
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === separator || character === '\n' || character === '\r') return at;
  }
  return text.length;
};
