import { readXml } from '../xml/read-xml.ts';

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
