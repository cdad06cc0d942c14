import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { markdownTable, type TableCell } from '../markdown-table.ts';
import type { OfficeText } from './office-text.ts';

/** Text of a cell, as it is shown. */
export interface SheetCell extends TableCell {
  /** A date that is shown in another form: `2026-01-31` or `2026-01-31T12:00:00Z`. Numbers likewise. */
  readonly value?: string;
}

/** A row of a sheet that has cells. */
export interface SheetRow {
  /** As the sheet numbers it, from 1. */
  readonly number: number;
  /** By column, none twice; those without text are missing, so that a far column costs no more than a near one. */
  readonly cells: readonly SheetCell[];
}

export interface Sheet {
  readonly name: string;
  /** Place among the sheets, from 1. */
  readonly number: number;
  readonly rows: readonly SheetRow[];
  /** Text that lies on the sheet or is attached to its cells: comments, shapes, charts. */
  readonly beside: readonly string[];
}

/** A workbook of any format. */
export interface Workbook {
  readonly title: string | null;
  readonly language: string | null;
  /** In their order. Each is read when its turn comes. @throws {ExtractionFailure} */
  sheets(): Iterable<Sheet>;
}

/**
 * Each sheet as a table under its name, with its number as page; one without cells by its name alone.
 *
 * @throws {ExtractionFailure} `too_large`, and as `sheets`
 */
export const workbookText = (workbook: Workbook, maxCharacters: number): OfficeText => {
  const units: TextUnit[] = [];
  let characters = 0;
  for (const { name, number, rows, beside } of workbook.sheets()) {
    const table = markdownTable(
      rows.map(({ cells }) => cells),
      maxCharacters,
    );
    const text = [name, table, ...beside].filter((part) => part !== '').join('\n\n');
    characters += text.length;
    if (characters > maxCharacters)
      throw new ExtractionFailure('too_large', `it has more than ${maxCharacters} characters of text`);
    units.push({ headingPath: name === '' ? [] : [name], pageNumber: number, text });
  }
  return { title: workbook.title, language: workbook.language, units: units };
};
