import { readXml } from '../../xml/read-xml.ts';

/** Marks of list items, in the order of the items: `-`, `1.`, `2.` and so on. */
export interface ListMarks {
  /** The mark of the next item of a list, with its indentation; null for what is no item. */
  next(numId: string, level: number): string | null;
}

const MAX_LEVEL = 8;

/** Formats by list and level (ECMA-376-1, 17.9). Every numbered level counts in decimal, whatever its own format. */
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
      return `${indent}${counted[at]}. `;
    },
  };
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
