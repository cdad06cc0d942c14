import { readXml } from '../../xml/read-xml.ts';

/** Marks of list items, in the order of the items: `-`, `1.`, `2.` and so on. */
export interface ListMarks {
  /** The mark of the next item of a list, with its indentation; null for what is no item. */
  next(numId: string, level: number): string | null;
}

const MAX_LEVEL = 8;

/** Formats by list and level (ECMA-376-1, 17.9). Levels of letters and Roman numbers have those, all others decimal ones. */
export const readListMarks = (xml: string | null): ListMarks => {
  const formats = xml === null ? new Map<string, readonly string[]>() : readFormats(xml);
  const counts = new Map<string, number[]>();
  return {
    next: (numId, level) => {
      if (numId === '0') return null;
      const at = Math.min(Math.max(level, 0), MAX_LEVEL);
      const indent = '  '.repeat(at);
      const format = formats.get(numId)?.[at] ?? 'bullet';
      if (format === 'none') return null;
      if (format === 'bullet') return `${indent}- `;
      const counted = counts.get(numId) ?? [];
      counted.length = at + 1;
      counted[at] = (counted[at] ?? 0) + 1;
      counts.set(numId, counted);
      return `${indent}${written(counted[at], format)}. `;
    },
  };
};

/** As the texts that refer to an item write it. */
const written = (number: number, format: string): string => {
  const lower = format.startsWith('lower');
  if (!lower && !format.startsWith('upper')) return String(number);
  const text = format.endsWith('Roman') ? roman(number) : format.endsWith('Letter') ? letters(number) : null;
  return text === null ? String(number) : lower ? text : text.toUpperCase();
};

/** a to z, then aa to zz, and so on: the same letter again and again (ECMA-376-1, 17.18.59). */
const letters = (number: number): string | null =>
  number > 26 * 8 ? null : String.fromCharCode(0x61 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));

const ROMAN = [
  [1_000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const;

const roman = (number: number): string | null => {
  if (number >= 4_000) return null;
  let left = number;
  let text = '';
  for (const [value, sign] of ROMAN) {
    text += sign.repeat(Math.floor(left / value));
    left %= value;
  }
  return text;
};

const readFormats = (xml: string): ReadonlyMap<string, readonly string[]> => {
  const abstract = new Map<string, string[]>();
  const byNumber = new Map<string, string[]>();
  let levels: string[] = [];
  let level = 0;
  let number = '';
  readXml(xml, {
    open: (name, { abstractNumId, numId, ilvl, val }) => {
      if (name === 'abstractNum') {
        levels = [];
        abstract.set(abstractNumId ?? '', levels);
      } else if (name === 'lvl') level = Number(ilvl) || 0;
      else if (name === 'numFmt') levels[Math.min(level, MAX_LEVEL)] = val ?? 'bullet';
      else if (name === 'num') {
        number = numId ?? '';
        levels = [];
      } else if (name === 'abstractNumId') byNumber.set(number, abstract.get(val ?? '') ?? []);
    },
  });
  return byNumber;
};
