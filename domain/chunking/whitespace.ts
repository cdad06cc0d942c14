const MAX_INDENT = 16;
const TAB_WIDTH = 4;

// Everything a store or an index may choke on: C0 controls but tab and line feed, delete, byte order mark.
// oxlint-disable-next-line no-control-regex -- these characters are what has to go
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]/g;

// Whether anything at all is to be done: most text is clean, and seven passes cost more than one.
const UNCLEAN =
  // oxlint-disable-next-line no-control-regex -- as above
  /[\u0000-\u0009\u000b-\u001f\u007f\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]|\S {2}| \n|\n{3}|\n {17}/;

/**
 * Brings text into the one form that is chunked and hashed: well-formed Unicode, LF line ends, single spaces
 * inside a line, indentation kept up to 16 columns (code and nested lists need it), no trailing spaces, at
 * most one empty line in a row, nothing around the whole.
 *
 * Linear in the length, also for hostile input: the first pass leaves no run longer than the indentation.
 */
export function normaliseWhitespace(text: string): string {
  const wellFormed = text.toWellFormed();
  if (!UNCLEAN.test(wellFormed)) return wellFormed.trim();
  return wellFormed
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(CONTROL, ' ')
    .replace(/(\n?)([^\S\n]+)/g, (_, lineStart: string, run: string) =>
      lineStart === '' ? ' ' : lineStart + ' '.repeat(indentWidth(run)),
    )
    .replace(/ {1,16}\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function indentWidth(run: string): number {
  let width = 0;
  for (const char of run) width += char === '\t' ? TAB_WIDTH : 1;
  return Math.min(width, MAX_INDENT);
}
