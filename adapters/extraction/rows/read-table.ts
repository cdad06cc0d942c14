import type { DeclaredKey } from '../../../application/ports/document-reader.ts';
import type { SheetRow, Workbook } from '../office/workbook.ts';
import { createRowReader, type RowPlace, type RowReader } from './row-reader.ts';

/** A content for each row of each sheet, by the names in its first row, and one for what lies beside them. @throws {ExtractionFailure} as the workbook, and `too_large` */
export const readWorkbookRows = (workbook: Workbook, keys: readonly DeclaredKey[], maxCharacters: number) => {
  const reader = createRowReader(keys, maxCharacters);
  for (const { name, number, rows, beside } of workbook.sheets()) {
    const place = { headingPath: name === '' ? [] : [name], pageNumber: number };
    addRows(reader, rows, place);
    reader.beside(place, beside);
  }
  return { title: workbook.title, language: workbook.language, ...reader.finish() };
};

/** @throws {ExtractionFailure} `too_large` */
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
  const [header, ...body] = rows;
  const names = new Map(header?.cells.map(({ column, text }) => [column, text.trim()]));
  for (const { number, cells } of body) {
    const fields = cells.map(({ column, ...shown }) => ({ name: names.get(column) ?? '', ...shown }));
    reader.add({ row: number, ...place }, fields);
  }
};
