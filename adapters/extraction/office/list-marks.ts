/** The numbering of one level of a list. */
export interface ListLevel {
  /** A format name of ECMA-376-1, 17.18.59; `bullet` and `none` have no number. */
  readonly format: string;
  /**
   * `%1` to `%9` stand for the numbers of the levels: `%1.%2` is the number of the parent item, a full stop, and its
   * own number.
   */
  readonly text: string;
  /** Number of the first item. */
  readonly start: number;
  /** Shows decimal numbers for all levels, whatever their own formats. */
  readonly legal: boolean;
  /**
   * Its numbers restart after an item of one of this many upper levels. The level's own number means all
   * upper levels.
   */
  readonly restartsAfter: number;
}

export interface ListDefinition {
  /** Lists with the same key share their counters. */
  readonly key: string | number;
  readonly levels: readonly (ListLevel | undefined)[];
  /** Levels that restart with the first item of this list. */
  readonly startsOver: readonly number[];
}

/** Marks of list items, in item order: `- `, `1. `, `2.1 ` and so on. */
interface ListMarks {
  /** The mark of the next item of a list, with its indentation; null when it has none. */
  next(list: string | number, level: number): string | null;
}

export const DEEPEST_LEVEL = 8;

/** Counts list items as a word processor does. @param definitionOf returns undefined for an undefined list */
export const createListMarks = (
  definitionOf: (list: string | number) => ListDefinition | undefined,
): ListMarks => {
  const counts = new Map<string | number, (number | undefined)[]>();
  const begun = new Set<string | number>();
  return {
    next: (list, asked) => {
      const at = Math.min(Math.max(asked, 0), DEEPEST_LEVEL);
      const indent = '  '.repeat(at);
      const definition = definitionOf(list);
      const level = definition?.levels[at];
      if (definition === undefined || level === undefined) return `${indent}- `;
      const counted = counts.get(definition.key) ?? [];
      counts.set(definition.key, counted);
      if (!begun.has(list)) for (const over of definition.startsOver) counted[over] = undefined;
      begun.add(list);
      counted[at] = counted[at] === undefined ? level.start : counted[at] + 1;
      for (let deeper = at + 1; deeper <= DEEPEST_LEVEL; deeper += 1) {
        if (at < (definition.levels[deeper]?.restartsAfter ?? deeper)) counted[deeper] = undefined;
      }
      if (level.format === 'bullet') return `${indent}- `;
      const mark = markOf(definition, at, level, counted);
      return mark === '' ? null : `${indent}${mark} `;
    },
  };
};

const markOf = (
  { levels }: ListDefinition,
  at: number,
  { text, legal }: ListLevel,
  counted: readonly (number | undefined)[],
): string =>
  text
    .replaceAll(/%([1-9])/g, (_, digit: string) => {
      const index = Number(digit) - 1;
      const level = levels[index];
      if (index > at || level === undefined || level.format === 'none' || level.format === 'bullet')
        return '';
      return writtenNumber(counted[index] ?? level.start, legal ? 'decimal' : level.format);
    })
    .replaceAll(/\s+/g, ' ')
    .trim();

/**
 * A number as texts refer to it, by the format names of ECMA-376-1, 17.18.59. Words, and digits of other scripts,
 * become decimal numbers.
 */
export const writtenNumber = (number: number, format: string): string => {
  if (format === 'decimalZero') return String(number).padStart(2, '0');
  if (format === 'ordinal') return `${number}${ordinalEnd(number)}`;
  if (format.startsWith(PADDED))
    return String(number).padStart(Math.min(Number(format.slice(PADDED.length)) || 1, MAX_DIGITS), '0');
  const lower = format.startsWith('lower');
  if (!lower && !format.startsWith('upper')) return String(number);
  const text = format.endsWith('Roman') ? roman(number) : format.endsWith('Letter') ? letters(number) : null;
  return text === null ? String(number) : lower ? text : text.toUpperCase();
};

/** Our own format with leading zeros, by the number of digits: `padded3` is 001. */
export const PADDED = 'padded';
/** A document may claim any number of zeros. */
const MAX_DIGITS = 20;

const ordinalEnd = (number: number): string => {
  const tens = number % 100;
  if (tens >= 11 && tens <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][number % 10] ?? 'th';
};

/** a to z, then aa to zz, and so on: the same letter repeated. */
const letters = (number: number): string | null =>
  number < 1 || number > 26 * 8
    ? null
    : String.fromCharCode(0x61 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));

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
  if (number < 1 || number >= 4_000) return null;
  let left = number;
  let text = '';
  for (const [value, sign] of ROMAN) {
    text += sign.repeat(Math.floor(left / value));
    left %= value;
  }
  return text;
};
