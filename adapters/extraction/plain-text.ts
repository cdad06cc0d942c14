import type { TextUnit } from '../../domain/chunking/chunk.ts';

/** One unit: plain text has no structure that could be told from accident. */
export const readPlainText = (text: string): TextUnit[] => [
  { headingPath: [], pageNumber: 0, text: unwrapped(text.split(/\r\n?|\n/)) },
];

const unwrapped = (lines: readonly string[]): string => {
  const joined: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (continuesProse(lines[index - 1], line)) joined.push(' ', line);
    else joined.push('\n', line);
  }
  return joined.slice(1).join('');
};

const LONG_LINE = 40;

/**
 * Whether a line goes on with the sentence of the line before it, as wrapped prose does: after a long line that ends
 * in a word or comma, with a lower-case letter. Lists, tables, verse and code keep their lines.
 */
export const continuesProse = (previous: string | undefined, line: string): boolean =>
  previous !== undefined &&
  previous.length >= LONG_LINE &&
  /^\S/.test(previous) &&
  /^[\p{L}\p{N},;]$/u.test(previous.at(-1)!) &&
  /^\p{Ll}/u.test(line);
