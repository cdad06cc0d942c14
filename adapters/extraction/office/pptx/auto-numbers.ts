import type { XmlAttributes } from '../../xml/read-xml.ts';
import { writtenNumber } from '../list-marks.ts';

/** Counts the paragraphs of a shape that are numbered by themselves (ECMA-376-1, 21.1.2.4.1). */
interface AutoNumbers {
  /** @param numbered what the next paragraph with text says of its numbers @returns its mark; null where it has none */
  next(level: number, numbered: XmlAttributes | null): string | null;
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['alphaLc', 'lowerLetter'],
  ['alphaUc', 'upperLetter'],
  ['romanLc', 'lowerRoman'],
  ['romanUc', 'upperRoman'],
]);
const DEEPEST = 8;

export const createAutoNumbers = (): AutoNumbers => {
  /** By level: the list that goes on there. */
  const open: { readonly type: string; readonly startAt: string; number: number }[] = [];
  return {
    next: (asked, numbered) => {
      const level = Math.min(asked, DEEPEST);
      open.length = Math.min(open.length, numbered === null ? level : level + 1);
      if (numbered === null) return null;
      const { type = 'arabicPeriod', startAt = '1' } = numbered;
      const before = open[level];
      const isSame = before?.type === type && before.startAt === startAt;
      const number = isSame ? before.number + 1 : Number(startAt) || 1;
      open[level] = { type, startAt, number };
      const [, name = '', around = ''] = /^(.*?)(Period|ParenR|ParenBoth|Plain)?$/.exec(type) ?? [];
      const written = writtenNumber(number, FORMATS.get(name) ?? 'decimal');
      const ahead = around === 'ParenBoth' ? '(' : '';
      const behind = around.startsWith('Paren') ? ')' : around === 'Plain' ? '' : '.';
      return `${'  '.repeat(Math.max(0, level - 1))}${ahead}${written}${behind} `;
    },
  };
};
