import { ExtractionFailure } from '../../extraction-failure.ts';
import { readXml } from '../../xml/read-xml.ts';
import { drawingLines, drawingParagraphs } from '../drawing-text.ts';
import { type OfficePackage, type Relationship, byId, mainPart, openPackage } from '../package.ts';
import { readProperties } from '../properties.ts';
import { type TextRun, newRun, shownRun } from '../../text-run.ts';
import { type Workbook, commentLine, sheetMargins } from '../workbook.ts';
import { readCellFormats, readSheet, unescaped } from './sheet.ts';

/**
 * Cells of a workbook of 2007 and later as they are shown, sheet by sheet in their order without what is hidden, with the text
 * of comments, shapes, charts, headers and footers. Sheets are read one at a time, when they are asked for.
 *
 * @throws {ExtractionFailure} as `openPackage`, and `too_large`; `parser_failed` from `sheets` when there are none
 */
export const openXlsx = (bytes: Buffer, maxCharacters: number): Workbook => {
  const file = openPackage(bytes);
  const main = mainPart(file, 'xl/workbook.xml');
  const related = file.relationships(main.path);
  const partOf = (type: string): string | null => {
    const found = related.find((relation) => relation.type === type && !relation.external);
    return found === undefined ? null : file.xml(found.target);
  };
  const { sheets, since1904 } = readWorkbook(main.xml);
  const formats = readCellFormats(partOf('styles'), since1904);
  const strings = readSharedStrings(partOf('sharedStrings'), maxCharacters);
  const parts = byId(related);
  return {
    ...readProperties(file),
    sheets: function* () {
      let isFound = sheets.length > 0 && sheets.every(({ isHidden }) => isHidden);
      for (const [index, { name, id, isHidden }] of sheets.entries()) {
        if (isHidden) continue;
        // A file that was repaired or made by hand may lack its relationships: then the usual name leads to the sheet.
        const path = parts.get(id)?.target ?? `xl/worksheets/sheet${index + 1}.xml`;
        const xml = file.xml(path);
        if (xml === null) continue;
        isFound = true;
        const rows = readSheet(xml, strings, formats, maxCharacters);
        yield { name, number: index + 1, rows, beside: [...besideSheet(file, path), ...sheetMargins(xml)] };
      }
      // It would count as read although nothing of it was. Hidden sheets alone are no failure.
      if (!isFound)
        throw new ExtractionFailure('parser_failed', 'none of its sheets can be found in the file');
    },
  };
};

const readWorkbook = (xml: string) => {
  const sheets: { readonly name: string; readonly id: string; readonly isHidden: boolean }[] = [];
  let since1904 = false;
  readXml(xml, {
    open: (opened, { name = '', state = 'visible', date1904, ...attributes }) => {
      if (opened === 'sheet')
        sheets.push({ name, id: attributes['r:id'] ?? '', isHidden: state !== 'visible' });
      else if (opened === 'workbookPr') since1904 = date1904 === '1' || date1904 === 'true';
    },
  });
  return { sheets, since1904 };
};

/** Text that is on a sheet, or attached to its cells. */
const besideSheet = (file: OfficePackage, path: string): readonly string[] =>
  file.relationships(path).flatMap((relation) => besideText(file, relation));

const besideText = (file: OfficePackage, relation: Relationship): readonly string[] => {
  const { type, target, external } = relation;
  const xml = external || !BESIDE.has(type) ? null : file.xml(target);
  if (xml === null) return [];
  if (type === 'drawing') {
    const charts = file.relationships(target).flatMap((drawn) => drawingLines(file, drawn));
    return [...drawingParagraphs(xml), ...charts];
  }
  return sheetComments(xml);
};

const BESIDE = new Set(['drawing', 'comments', 'threadedComment']);

/** Texts that cells reference by index, without phonetic hints (ECMA-376-1, 18.4). */
const readSharedStrings = (xml: string | null, maxCharacters: number): readonly string[] => {
  const strings: string[] = [];
  if (xml === null) return strings;
  let text = '';
  let run: TextRun | null = null;
  let phonetic = 0;
  let inText = false;
  let characters = 0;
  readXml(xml, {
    open: (name, { val }) => {
      inText = name === 't';
      if (name === 'r') run = newRun();
      else if (run !== null) look(run, name, val);
      if (name === 'rPh') phonetic += 1;
    },
    text: (data) => {
      if (!inText || phonetic > 0) return;
      if (run === null) text += data;
      else run.text += data;
    },
    close: (name) => {
      inText = false;
      if (name === 'r' && run !== null) {
        text += shownRun(run, text);
        run = null;
      }
      if (name === 'rPh') phonetic -= 1;
      if (name !== 'si') return;
      strings.push(unescaped(text));
      characters += text.length;
      text = '';
      if (characters > maxCharacters)
        throw new ExtractionFailure('too_large', `it has more than ${maxCharacters} characters of text`);
    },
  });
  return strings;
};

/** Reads a property of a run (ECMA-376-1, 18.4.7). */
const look = (run: TextRun, name: string, val: string | undefined): void => {
  if (name === 'strike') run.isLeftOut = val !== '0' && val !== 'false';
  else if (name === 'vertAlign')
    run.position = val === 'superscript' ? 'raised' : val === 'subscript' ? 'lowered' : null;
  else if (name === 'rFont') run.font = val ?? null;
};

/** Comments on cells after their authors (ECMA-376-1, 18.7), and threaded comments, which name no author here. */
const sheetComments = (xml: string): readonly string[] => {
  const found: string[] = [];
  const authors: string[] = [];
  let author = '';
  let text = '';
  let name = '';
  readXml(xml, {
    open: (opened, { authorId }) => {
      name = opened;
      if (opened === 'author') authors.push('');
      else if (opened === 'comment') author = authors[Number(authorId ?? -1)] ?? '';
    },
    text: (data) => {
      if (name === 't' || name === 'text') text += data;
      else if (name === 'author') authors[authors.length - 1] += data;
    },
    close: (closed) => {
      name = '';
      if (closed !== 'comment' && closed !== 'threadedComment') return;
      const line = commentLine(author, text);
      if (line !== '') found.push(line);
      [author, text] = ['', ''];
    },
  });
  return found;
};
