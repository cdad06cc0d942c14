/**
 * A number as the texts that refer to it write it, by the names of formats of ECMA-376-1, 17.18.59. Words, and signs of other
 * scripts, become decimal numbers.
 */
export const writtenNumber = (number: number, format: string): string => {
  if (format === 'decimalZero') return String(number).padStart(2, '0');
  if (format === 'ordinal') return `${number}${ordinalEnd(number)}`;
  if (format.startsWith(PADDED))
    return String(number).padStart(Math.min(Number(format.slice(PADDED.length)) || 1, MOST_DIGITS), '0');
  const lower = format.startsWith('lower');
  if (!lower && !format.startsWith('upper')) return String(number);
  const text = format.endsWith('Roman') ? roman(number) : format.endsWith('Letter') ? letters(number) : null;
  return text === null ? String(number) : lower ? text : text.toUpperCase();
};

/** With leading zeros, so many digits: `padded3` is 001. Of our own making. */
export const PADDED = 'padded';
/** A document may claim any number of zeros. */
const MOST_DIGITS = 20;

const ordinalEnd = (number: number): string => {
  const tens = number % 100;
  if (tens >= 11 && tens <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][number % 10] ?? 'th';
};

/** a to z, then aa to zz, and so on: the same letter again and again. */
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
