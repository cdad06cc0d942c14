import type { DeclaredKey } from '../../../application/ports/document-reader.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { titleRows } from '../markdown-table.ts';
import type { SheetRow, Workbook } from '../office/workbook.ts';
import { type RowField, type RowPlace, type RowReader, createRowReader } from './row-reader.ts';

/**
 * A content for each line with a JSON object (jsonlines.org). Any other line is an error of that line.
 *
 * @throws {ExtractionFailure} `mislabelled` when no line is an object
 */
export const readJsonl = (text: string, keys: readonly DeclaredKey[], maxCharacters: number) => {
  const rows = createRowReader(keys, maxCharacters);
  let objects = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const fields = fieldsOf(line);
    if (typeof fields === 'string') {
      rows.refuse(index + 1, fields);
      continue;
    }
    objects += 1;
    rows.add({ row: index + 1, headingPath: [], pageNumber: 0 }, fields);
  }
  const found = rows.finish();
  if (objects === 0 && found.rowErrors !== undefined)
    throw new ExtractionFailure(
      'mislabelled',
      'it is called a file of type jsonl, but no line of it is a JSON object',
    );
  return found;
};

/** Returns the problem of a line that is not a row. */
const fieldsOf = (line: string): readonly RowField[] | string => {
  try {
    const value = parseLine(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(fieldOf)
      : NO_OBJECT;
  } catch (error) {
    if (error instanceof SyntaxError) return NO_OBJECT;
    if (error instanceof RangeError) return 'it is nested too deeply';
    throw error;
  }
};

const NO_OBJECT = 'it is not a JSON object';

const fieldOf = ([name, value]: [string, unknown]): RowField => {
  if (typeof value === 'string') return { name, text: value };
  if (typeof value === 'number' || typeof value === 'boolean') return { name, text: String(value) };
  if (isWrittenNumber(value)) return { name, text: value.rawJSON };
  return value === null || value === undefined
    ? { name, text: '' }
    : { name, text: JSON.stringify(value), value: null };
};

/** A number as written, which JSON.stringify writes unchanged (ECMA-262, JSON.rawJSON). */
interface WrittenNumber {
  readonly rawJSON: string;
}

/** Available in Node 22 and later; missing in the compiler's library. */
interface JsonWithSources {
  parse(text: string, revive: Revive): unknown;
  rawJSON(text: string): WrittenNumber;
  isRawJSON(value: unknown): value is WrittenNumber;
}
type Revive = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

const json = JSON as unknown as JsonWithSources;

const isWrittenNumber = (value: unknown): value is WrittenNumber => json.isRawJSON(value);

/** Numbers with more digits than a double keeps, or with an exponent, which may be out of range. */
const MAY_BE_ROUNDED = /[\d.]{16}|\d[eE]/;
const KEPT_DIGITS = 15;

/**
 * A JSON value whose numbers keep their written form when a double would round them.
 *
 * @throws {SyntaxError}, and {RangeError} when it is nested too deeply
 */
const parseLine = (line: string): unknown =>
  MAY_BE_ROUNDED.test(line)
    ? json.parse(line, (_, value, { source }) =>
        typeof value === 'number' && source !== undefined && isRounded(value, source)
          ? json.rawJSON(source)
          : value,
      )
    : JSON.parse(line);

const isRounded = (value: number, source: string): boolean =>
  !Number.isFinite(value) || (digitsOf(source) > KEPT_DIGITS && String(value) !== source);

/** Without exponent, sign and leading zeros. */
const digitsOf = (source: string): number =>
  source
    .replace(/[eE].*/s, '')
    .replaceAll(/[-.]/g, '')
    .replace(/^0+/, '').length;

/** A content for each row of each sheet, by the names in its first row below the titles, and one for what lies beside them. @throws {ExtractionFailure} as the workbook */
export const readWorkbookRows = (workbook: Workbook, keys: readonly DeclaredKey[], maxCharacters: number) => {
  const reader = createRowReader(keys, maxCharacters);
  for (const { name, number, rows, beside } of workbook.sheets()) {
    const place = { headingPath: name === '' ? [] : [name], pageNumber: number };
    addRows(reader, rows, place);
    reader.beside(place, beside);
  }
  return { title: workbook.title, language: workbook.language, ...reader.finish() };
};

export const readTableRows = (
  rows: readonly SheetRow[],
  keys: readonly DeclaredKey[],
  maxCharacters: number,
) => {
  const reader = createRowReader(keys, maxCharacters);
  addRows(reader, rows, { headingPath: [], pageNumber: 0 });
  return reader.finish();
};

const addRows = (reader: RowReader, rows: readonly SheetRow[], place: Omit<RowPlace, 'row'>): void => {
  const titles = titleRows(rows.map(({ cells }) => cells));
  const [header, ...body] = rows.slice(titles);
  reader.beside(
    place,
    rows.slice(0, titles).flatMap(({ cells }) => cells.map(({ text }) => text)),
  );
  const names = new Map(header?.cells.map(({ column, text }) => [column, text.trim()]));
  for (const { number, cells } of body) {
    const fields = cells.map(({ column, ...shown }) => ({ name: names.get(column) ?? '', ...shown }));
    reader.add({ row: number, ...place }, fields);
  }
};
