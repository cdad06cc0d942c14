import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { type TableCell, markdownTable } from '../markdown-table.ts';
import { readXml } from '../xml/read-xml.ts';
import type { OfficeText } from './text-flow.ts';

/** Text of a cell, as displayed. */
export interface SheetCell extends TableCell {
  /** RFC 3339 form of a date that is displayed otherwise: `2026-01-31` or `2026-01-31T12:00:00Z`. Numbers likewise. */
  readonly value?: string;
}

/** A row of a sheet that has cells. */
export interface SheetRow {
  /** Row number in the sheet, from 1. */
  readonly number: number;
  /** By column, without duplicates; empty cells are missing, so that a far column costs no more than a near one. */
  readonly cells: readonly SheetCell[];
}

export interface Sheet {
  readonly name: string;
  /** Index among the sheets, from 1. */
  readonly number: number;
  readonly rows: readonly SheetRow[];
  /** Text that is on the sheet or attached to its cells: comments, shapes, charts. */
  readonly beside: readonly string[];
}

/** A workbook of any format. */
export interface Workbook {
  readonly title: string | null;
  readonly language: string | null;
  /** In order. Each sheet is read when the iterator reaches it. @throws {ExtractionFailure} */
  sheets(): Iterable<Sheet>;
}

/**
 * Each sheet as a table under its name, with its number as the page; a sheet without cells is only its name.
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
 * A comment on a cell in one line; '' without text. Excel begins comments with the author, who is not repeated, and
 * gives threaded comments a made-up author.
 */
export const commentLine = (author: string, text: string): string => {
  const said = text.replaceAll(/\s+/g, ' ').trim();
  const by = author.startsWith('tc={') ? '' : author.replaceAll(/\s+/g, ' ').trim();
  if (said === '') return '';
  if (by === '') return `Comment: ${said}`;
  return `Comment by ${by}: ${said.startsWith(`${by}:`) ? said.slice(by.length + 1).trim() : said}`;
};

/**
 * Codes in headers and footers of sheets ([MS-XLS] 2.4.136, ECMA-376-1, 18.3.1.46): fonts, sizes, colours, positions,
 * fields.
 */
const CODE = /&(?:"[^"]*"|\d{1,3}|K(?:[\dA-F]{6}|\d\d[+-]\d{3})|[\s\S])/gi;

/**
 * The literal text of a header or footer: page numbers, dates and names that a program fills in are not text of the
 * sheet.
 */
export const marginText = (written: string): string =>
  written
    .replaceAll(CODE, (code) => (code === '&&' ? '&' : /^&[LCR]$/i.test(code) ? '\n' : ''))
    .replaceAll(/\s+/g, ' ')
    .trim();

const MARGINS = new Set(['oddHeader', 'oddFooter', 'evenHeader', 'evenFooter', 'firstHeader', 'firstFooter']);

/**
 * Headers and footers of a sheet, each text once. They are near the end of its part, so the cells are not read again.
 */
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
