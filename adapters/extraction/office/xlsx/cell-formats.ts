import { readXml } from '../../xml/read-xml.ts';
import {
  GENERAL,
  isoDate,
  numberFormat,
  plainNumber,
  shownNumber,
  type NumberFormat,
} from '../number-format.ts';

/** How cells show their numbers, by the index of their style (ECMA-376-1, 18.8). */
export interface CellFormats {
  /** What a number looks like, and what it is where that differs. */
  show(value: number, style: number): { readonly text: string; readonly value: string | null };
}

export const readCellFormats = (xml: string | null, since1904: boolean): CellFormats => {
  const { patterns, styles } =
    xml === null ? { patterns: new Map<number, string>(), styles: [] } : readStyles(xml);
  const formats = new Map<number, NumberFormat>();
  const formatOf = (style: number): NumberFormat => {
    const id = styles[style] ?? 0;
    const known = formats.get(id) ?? (id === 0 ? GENERAL : numberFormat(id, patterns.get(id)));
    formats.set(id, known);
    return known;
  };
  return {
    show: (value, style) => {
      const format = formatOf(style);
      const text = shownNumber(value, format, since1904);
      const plain = format.isDate ? isoDate(value, since1904) : plainNumber(value);
      return { text, value: plain === text ? null : plain };
    },
  };
};

const readStyles = (xml: string) => {
  const patterns = new Map<number, string>();
  const styles: number[] = [];
  let inCells = false;
  readXml(xml, {
    open: (name, { numFmtId, formatCode }) => {
      if (name === 'cellXfs') inCells = true;
      else if (name === 'numFmt' && formatCode !== undefined) patterns.set(Number(numFmtId), formatCode);
      else if (name === 'xf' && inCells) styles.push(Number(numFmtId ?? 0));
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return { patterns, styles };
};
