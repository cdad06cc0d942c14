import { ExtractionFailure } from '../extraction-failure.ts';
import type { SheetCell, SheetRow, Sheet } from '../office/workbook.ts';
import { commentLine } from '../office/workbook.ts';
import { type MergedCells, MOST_MERGED, withMerged } from '../rows/merged-cells.ts';
import { type XmlAttributes, handlers, readXml } from '../xml/read-xml.ts';
import { PLAIN, createParagraphs } from './paragraphs.ts';
import type { OdfStyles } from './styles.ts';

/** Maximum number of columns of a sheet. */
const MAX_COLUMNS = 16_384;
/** Equal cells and rows are stored once; so many of them are read. */
const MOST_REPEATED = 10_000;

interface OpenSheet {
  readonly name: string;
  readonly isShown: boolean;
  readonly rows: SheetRow[];
  readonly beside: string[];
  readonly merged: MergedCells[];
  readonly hidden: Uint8Array;
  /** Columns that were declared. */
  columns: number;
  row: number;
}

interface OpenRow {
  readonly cells: SheetCell[];
  readonly repeated: number;
  readonly isShown: boolean;
  column: number;
}

/**
 * Sheets that are not hidden, with their rows and columns that are not (OpenDocument 1.3, part 3, clause 9): cells as
 * they are shown, comments and shapes beside them.
 *
 * @throws {ExtractionFailure} `too_large`
 */
export const readOdfSheets = (xml: string, styles: OdfStyles, maxCharacters: number): readonly Sheet[] => {
  const sheets: Sheet[] = [];
  const paragraphs = createParagraphs(styles);
  let count = 0;
  let characters = 0;
  let sheet: OpenSheet | null = null;
  let row: OpenRow | null = null;
  let cell: XmlAttributes | null = null;
  let lines: string[] = [];
  let comment: { author: string; lines: string[] } | null = null;
  let inCreator = false;
  let nested = 0;

  const openers = handlers<(attributes: XmlAttributes) => void>({
    table: ({ name = '', 'style-name': style }) => {
      nested += 1;
      if (nested > 1) return;
      count += 1;
      const isShown = styles.isShown('table', style);
      const hidden = new Uint8Array(MAX_COLUMNS);
      sheet = { name, isShown, rows: [], beside: [], merged: [], hidden, columns: 0, row: 1 };
    },
    'table-column': ({ visibility, 'number-columns-repeated': repeated }) => {
      if (sheet === null) return;
      const to = Math.min(sheet.columns + times(repeated), MAX_COLUMNS);
      if (isHidden(visibility)) sheet.hidden.fill(1, sheet.columns, to);
      sheet.columns = to;
    },
    'table-row': ({ visibility, 'number-rows-repeated': repeated }) => {
      row = { cells: [], repeated: times(repeated), isShown: !isHidden(visibility), column: 0 };
    },
    'table-cell': (attributes) => {
      [cell, lines] = [attributes, []];
    },
    'covered-table-cell': ({ 'number-columns-repeated': repeated }) => {
      if (row !== null) row.column += times(repeated);
    },
    annotation: () => {
      comment = { author: '', lines: [] };
    },
    creator: () => {
      inCreator = comment !== null;
    },
  });
  const endCell = (): void => {
    if (cell === null || row === null || sheet === null) return;
    const repeated = times(cell['number-columns-repeated']);
    const { isLeftOut } = styles.look('table-cell', cell['style-name'], PLAIN);
    const shown = isLeftOut ? { text: '' } : cellOf(cell, lines.join('\n'));
    const rowsSpanned = times(cell['number-rows-spanned']);
    if (rowsSpanned > 1 && sheet.merged.length < MOST_MERGED)
      sheet.merged.push({ column: row.column, first: sheet.row, last: sheet.row + rowsSpanned - 1 });
    for (
      let at = row.column;
      shown.text !== '' && at < row.column + Math.min(repeated, MOST_REPEATED);
      at += 1
    )
      if (at < MAX_COLUMNS && sheet.hidden[at] !== 1) row.cells.push({ column: at, ...shown });
    row.column += repeated;
    cell = null;
  };
  const endRow = (): void => {
    if (row === null || sheet === null) return;
    const { cells, repeated, isShown } = row;
    const length = cells.reduce((sum, { text }) => sum + text.length, 0);
    const copies = isShown && cells.length > 0 ? Math.min(repeated, MOST_REPEATED) : 0;
    for (let at = 0; at < copies; at += 1) {
      characters += length;
      if (characters > maxCharacters)
        throw new ExtractionFailure('too_large', `it has more than ${maxCharacters} characters of text`);
      sheet.rows.push({ number: sheet.row + at, cells });
    }
    sheet.row += repeated;
    row = null;
  };
  const closers = handlers<() => void>({
    'table-cell': endCell,
    'table-row': endRow,
    creator: () => {
      inCreator = false;
    },
    annotation: () => {
      const line = comment === null ? '' : commentLine(comment.author, comment.lines.join(' '));
      if (line !== '' && row?.isShown !== false && sheet?.hidden[row?.column ?? 0] !== 1)
        sheet?.beside.push(line);
      comment = null;
    },
    table: () => {
      nested -= 1;
      if (nested > 0 || sheet === null) return;
      const { name, isShown, rows, merged, beside } = sheet;
      if (isShown) sheets.push({ name, number: count, rows: withMerged(rows, merged), beside });
      sheet = null;
    },
  });
  readXml(xml, {
    open: (name, attributes) => {
      if (!paragraphs.open(name, attributes) && (nested < 2 || name === 'table'))
        openers.get(name)?.(attributes);
    },
    text: (data) => {
      if (inCreator && comment !== null) comment.author += data;
      else paragraphs.text(data);
    },
    close: (name) => {
      const ended = paragraphs.close(name);
      if (ended === null) return;
      if (ended !== undefined && ended.line !== '')
        (comment?.lines ?? (cell === null ? sheet?.beside : lines))?.push(ended.line);
      if (nested < 2 || name === 'table') closers.get(name)?.();
    },
  });
  return sheets;
};

const times = (written: string | undefined): number => Math.max(1, Number(written) || 1);

const isHidden = (visibility: string | undefined): boolean =>
  visibility === 'collapse' || visibility === 'filter';

/** What a cell shows, and its value where that differs. Some programs store the value alone. */
const cellOf = (
  attributes: XmlAttributes,
  shown: string,
): { readonly text: string; readonly value?: string } => {
  const {
    'value-type': type,
    value,
    'date-value': date,
    'boolean-value': truth,
    'string-value': string,
  } = attributes;
  const exact = type === 'date' ? moment(date) : type === 'string' ? undefined : value;
  const text =
    shown === '' ? (exact ?? truth ?? (type === 'time' ? attributes['time-value'] : string) ?? '') : shown;
  return { text, ...(exact !== undefined && exact !== text && { value: exact }) };
};

const moment = (date: string | undefined): string | undefined =>
  date?.includes('T') === true ? `${date.replace(/Z$/, '')}Z` : date;
