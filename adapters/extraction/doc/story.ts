import { markdownTable } from '../markdown-table.ts';
import { marksIn, withoutMarks } from '../office/control-marks.ts';
import type { TextFlow } from '../office/text-flow.ts';
import type { ParagraphKind } from './paragraphs.ts';

/** Marks within the text ([MS-DOC] 2.4.1 and 2.8): ends of paragraphs, cells and rows, fields, and other things than text. */
const CELL = '\x07';
const FIELD = '\x13\x14\x15';
const ENDS = '\r\x07\x0c';
const LONGEST_HEADING = 500;

/**
 * Adds a story to the flow: paragraphs, headings, and runs of cells as tables. A row ends with a mark of its own behind its
 * last cell.
 *
 * @param kindAt of the paragraph whose end mark stands there
 */
export const addStory = (story: string, flow: TextFlow, kindAt: (at: number) => ParagraphKind): void => {
  const text = withoutFieldCodes(story);
  let rows: string[][] = [];
  let row: string[] = [];
  let cell: string[] = [];
  const endTable = (): void => {
    if (row.length > 0 || cell.length > 0) rows.push([...row, ...cell]);
    if (rows.length > 0) flow.add(markdownTable(rows));
    [rows, row, cell] = [[], [], []];
  };
  let start = 0;
  for (const { mark, index } of marksIn(`${text}\r`, ENDS)) {
    const line = clean(text.slice(start, index));
    start = index + 1;
    if (mark === CELL) {
      const { endsRow } = kindAt(index);
      // Where nothing is known of it, an empty cell is taken for the end.
      if (endsRow ?? (line === '' && cell.length === 0 && row.length > 0)) {
        rows.push(row);
        row = [];
      } else {
        row.push([...cell, line].join('\n'));
        cell = [];
      }
      continue;
    }
    const { level, inTable } = kindAt(index);
    if (inTable) cell.push(line);
    else {
      endTable();
      addParagraph(line, level, flow);
    }
  }
  endTable();
};

const addParagraph = (line: string, level: number, flow: TextFlow): void => {
  const text = clean(line);
  if (level > 0 && text.length < LONGEST_HEADING) flow.heading(level, text);
  else flow.add(text);
};

/** Line breaks within a paragraph, hyphens that may not break; pictures, notes and other marks are left out. */
const clean = (text: string): string =>
  withoutMarks(text.replaceAll('\x0b', '\n').replaceAll('\x1e', '-')).trim();

/**
 * Of a field (13 code 14 result 15) only its result is shown; all of one that nothing closes. Keeps all places: what is left
 * out becomes marks.
 */
const withoutFieldCodes = (text: string): string => {
  const closed = closedFields(text);
  const parts: string[] = [];
  const open: boolean[] = [];
  let hidden = 0;
  let from = 0;
  const cut = (at: number): void => {
    parts.push(hidden > 0 ? '\x01'.repeat(at - from) : text.slice(from, at));
    from = at;
  };
  for (const { mark, index } of marksIn(text, FIELD)) {
    cut(index);
    if (mark === '\x13') {
      if (!closed.has(index)) continue;
      open.push(true);
      hidden += 1;
    } else if (open.length > 0) {
      if (open.at(-1) === true) hidden -= 1;
      if (mark === '\x15') open.pop();
      else open[open.length - 1] = false;
    }
  }
  cut(text.length);
  return parts.join('');
};

/** Where those fields begin that an end mark closes. */
const closedFields = (text: string): ReadonlySet<number> => {
  const closed = new Set<number>();
  const open: number[] = [];
  for (const { mark, index } of marksIn(text, '\x13\x15')) {
    if (mark === '\x13') open.push(index);
    else if (open.length > 0) closed.add(open.pop()!);
  }
  return closed;
};
