import type { DeclaredKey } from '../../../application/ports/document-reader.ts';
import type { SheetRow, Workbook } from '../office/workbook.ts';
import { createRowReader, type RowPlace, type RowReader } from './row-reader.ts';

/** A content for each row of each sheet, by the names in its first row. @throws {ExtractionFailure} as the workbook, and `too_large` */
export const readWorkbookRows = (workbook: Workbook, keys: readonly DeclaredKey[], maxCharacters: number) => {
  const reader = createRowReader(keys, maxCharacters);
  for (const { name, number, rows } of workbook.sheets()) {
    addRows(reader, rows, { headingPath: name === '' ? [] : [name], pageNumber: number });
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
  for (const { number, cells, values } of body) {
    const fields = cells.flatMap((text, column) =>
      text === undefined
        ? []
        : { name: header?.cells[column]?.trim() ?? '', text, ...valueOf(values?.get(column)) },
    );
    reader.add({ row: number, ...place }, fields);
  }
};

const valueOf = (value: string | undefined) => (value === undefined ? {} : { value });
