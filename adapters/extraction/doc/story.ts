import { markdownTable } from '../markdown-table.ts';
import { marksIn, withoutMarks } from '../office/control-marks.ts';
import type { TextFlow } from '../office/text-flow.ts';
import { shownCode } from '../office/field-code.ts';
import type { ListMarks } from '../office/list-marks.ts';
import type { ParagraphKind } from './paragraphs.ts';

/** Marks within the text ([MS-DOC] 2.4.1 and 2.8): ends of paragraphs, cells and rows, fields, and other things than text. */
const CELL = '\x07';
const FIELD = '\x13\x14\x15';
const ENDS = '\r\x07\x0c';
/** Stands for what a form shows, which may be longer than its code; no character. */
const FORM_VALUE = '\ufdd0';
const FORM_CODE = /^\s*FORM(?:CHECKBOX|DROPDOWN)\b/;
/** Of something beside the text: of a field of a form, its value. */
const BESIDE = '\x01';
const LONGEST_HEADING = 500;
const NO_MARKS: ListMarks = { next: () => null };

/**
 * Adds a story to the flow: paragraphs, headings, and runs of cells as tables. A row ends with a mark of its own behind its
 * last cell.
 *
 * @param kindAt of the paragraph whose end mark stands there
 * @param formAt what a field of a form shows, whose mark stands there
 */
export const addStory = (
  story: string,
  flow: TextFlow,
  kindAt: (at: number) => ParagraphKind,
  marks: ListMarks = NO_MARKS,
  formAt: (at: number) => string | null = () => null,
): void => {
  const values: string[] = [];
  const text = withoutFieldCodes(story, (at) => {
    const value = formAt(at);
    if (value !== null) values.push(value);
    return value !== null;
  });
  const withValues = (part: string): string => part.replaceAll(FORM_VALUE, () => values.shift() ?? '');
  let rows: string[][] = [];
  let row: string[] = [];
  let cell: string[] = [];
  const endTable = (): void => {
    if (row.length > 0 || cell.length > 0) rows.push([...row, ...cell]);
    if (rows.length > 0) flow.add(markdownTable(rows));
    [rows, row, cell] = [[], [], []];
  };
  const markOf = (item: ParagraphKind['item']): string =>
    item === null ? '' : (marks.next(item.list, item.level) ?? '');
  let start = 0;
  for (const { mark, index } of marksIn(`${text}\r`, ENDS)) {
    const line = clean(withValues(text.slice(start, index)));
    start = index + 1;
    if (mark === CELL) {
      const { endsRow, item } = kindAt(index);
      // Where nothing is known of it, an empty cell is taken for the end.
      if (endsRow ?? (line === '' && cell.length === 0 && row.length > 0)) {
        rows.push(row);
        row = [];
      } else {
        row.push([...cell, numbered(line, markOf(item))].join('\n'));
        cell = [];
      }
      continue;
    }
    const { level, inTable, item } = kindAt(index);
    // A page that ends is no item.
    const listMark = mark === '\r' ? markOf(item) : '';
    if (inTable) cell.push(numbered(line, listMark));
    else {
      endTable();
      addParagraph(line, level, listMark, flow);
    }
  }
  endTable();
};

const addParagraph = (line: string, level: number, mark: string, flow: TextFlow): void => {
  const text = clean(line);
  if (level > 0 && text !== '' && text.length < LONGEST_HEADING) flow.heading(level, numbered(text, mark));
  else if (text !== '' || !isBullet(mark))
    flow.add(`${mark}${text}`.trimEnd(), mark === '' ? 'paragraph' : 'item');
};

const isBullet = (mark: string): boolean => mark.trim() === '-';

/** In headings and cells only numbers are shown. */
const numbered = (line: string, mark: string): string =>
  isBullet(mark) ? line : `${mark.trimStart()}${line}`;

/** Line breaks within a paragraph, hyphens that may not break; pictures, notes and other marks are left out. */
const clean = (text: string): string =>
  withoutMarks(text.replaceAll('\x0b', '\n').replaceAll('\x1e', '-')).trim();

/**
 * Of a field (13 code 14 result 15) only its result is shown, or what its code shows without one; all of one that nothing
 * closes. Keeps all places: what is left out becomes marks.
 *
 * @param isForm whether there is a value of the field of a form whose mark stands there
 */
const withoutFieldCodes = (text: string, isForm: (at: number) => boolean): string => {
  const closed = closedFields(text);
  const parts: string[] = [];
  const open: boolean[] = [];
  let hidden = 0;
  let from = 0;
  /** Of the code that is hidden. */
  let shown = '';
  const cut = (at: number): void => {
    const part = text.slice(from, at);
    parts.push(hidden === 0 ? part : shown.padEnd(part.length, '\x01'));
    [from, shown] = [at, ''];
  };
  for (const { mark, index } of marksIn(text, FIELD)) {
    if (mark !== '\x13' && hidden === 1 && text[from] === '\x13' && open.at(-1) === true) {
      const code = text.slice(from + 1, index);
      const isValue = FORM_CODE.test(code) && isForm(text.indexOf(BESIDE, from));
      if (isValue) shown = FORM_VALUE;
      else if (mark === '\x15') shown = shownCode(code);
    }
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
