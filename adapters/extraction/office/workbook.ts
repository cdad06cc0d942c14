import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { type TableCell, markdownTable } from '../markdown-table.ts';
import { readXml } from '../xml/read-xml.ts';
import type { OfficeText } from './text-flow.ts';

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

/** A workbook has at least one: without any, it would count as read, and nothing of it be found. */
export const noSheets = (): ExtractionFailure =>
  new ExtractionFailure('parser_failed', 'none of its sheets can be found in the file');

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

/**
 * A comment on a cell in one line; '' for one without text. Excel begins it with its author, who is not told twice, and
 * gives those of conversations a made-up one.
 */
export const commentLine = (author: string, text: string): string => {
  const said = text.replaceAll(/\s+/g, ' ').trim();
  const by = author.startsWith('tc={') ? '' : author.replaceAll(/\s+/g, ' ').trim();
  if (said === '') return '';
  if (by === '') return `Comment: ${said}`;
  return `Comment by ${by}: ${said.startsWith(`${by}:`) ? said.slice(by.length + 1).trim() : said}`;
};

/** Codes in headers and footers of sheets ([MS-XLS] 2.4.136, ECMA-376-1, 18.3.1.46): fonts, sizes, colours, places, fields. */
const CODE = /&(?:"[^"]*"|\d{1,3}|K(?:[\dA-F]{6}|\d\d[+-]\d{3})|[\s\S])/gi;

/** What a header or footer says itself: pages, dates and names that a program fills in are no text of the sheet. */
export const marginText = (written: string): string =>
  written
    .replaceAll(CODE, (code) => (code === '&&' ? '&' : /^&[LCR]$/i.test(code) ? '\n' : ''))
    .replaceAll(/\s+/g, ' ')
    .trim();

const MARGINS = new Set(['oddHeader', 'oddFooter', 'evenHeader', 'evenFooter', 'firstHeader', 'firstFooter']);

/** Headers and footers of a sheet, each text once. They stand near the end of its part: the cells are not read again. */
export const sheetMargins = (xml: string): readonly string[] => {
  const at = xml.indexOf('headerFooter');
  if (at === -1) return [];
  const found = new Set<string>();
  let text = '';
  readXml(xml.slice(Math.max(0, xml.lastIndexOf('<', at))), {
    open: () => {
      text = '';
    },
    text: (data) => {
      text += data;
    },
    close: (name) => {
      if (MARGINS.has(name)) found.add(marginText(text));
      text = '';
    },
  });
  found.delete('');
  return [...found];
};
