import { type Detector, firstOf, isDigit, isInsideWord, type Span, tailOf } from './detector.ts';
import { type DigitGroup, digitGroups } from './digit-groups.ts';

/** ITU-T E.164: at most 15 digits. */
const MOST = 15;
const LEAST = 7;
const SPACES = ' \u00a0\u202f';
/** Between two groups: one sign, or a bracket with a space: `+44 (0)20`, `(555) 123`, `030 / 12`. */
const SEPARATOR = new RegExp(
  `[${SPACES}]?[()/][${SPACES}]?|[${SPACES}]-[${SPACES}]|[${SPACES}.-]|\\u2011|\\u2013`,
  'y',
);
const SIGNS = `${SPACES}()/.-\u2011\u2013+`;
/** Each digit with the longest separator, the sign and a bracket before, and what follows. */
const REACH = 4 * MOST + 6;

const isOpening = (char: string): boolean => isDigit(char) || char === '+' || char === '(';

/**
 * Telephone numbers of 7 to 15 digits: international ones (E.164, `+` or `00`), national ones with a trunk zero
 * (Europe and most of the world; 9 to 12 digits unless they are in groups), and those of North America in groups of
 * 3-3-4, with or without the country's 1. Bare runs of other digits are no telephone numbers, nor are dates, times,
 * versions and addresses of the Internet.
 */
export const phoneDetector: Detector = {
  find: (text, from) => {
    const found: Span[] = [];
    for (let at = firstOf(text, from, text.length, isOpening); at < text.length;) {
      const end = mayBegin(text, at) ? phoneEnd(text, at) : null;
      if (end !== null) found.push({ start: at, end });
      at = firstOf(text, end ?? nextOpening(text, at), text.length, isOpening);
    }
    return found;
  },
  settledUpTo: (text) => {
    const tail = tailOf(text, (char) => isDigit(char) || SIGNS.includes(char), REACH);
    return firstOf(text, tail, text.length, isOpening);
  },
};

const nextOpening = (text: string, at: number): number =>
  isDigit(text.charAt(at)) ? firstOf(text, at, text.length, (char) => !isDigit(char)) : at + 1;

const mayBegin = (text: string, at: number): boolean => {
  const char = text.charAt(at);
  if (char === '+' || char === '(') return isDigit(text.charAt(at + 1)) || text.startsWith('(+', at);
  // In the middle of a number, of a version or of a date; an amount.
  return !isInsideWord(text, at) && !/[\d\f][.-]$|[$€£#]$/.test(text.slice(Math.max(0, at - 2), at));
};

const phoneEnd = (text: string, at: number): number | null => {
  const bracketed = text.charAt(at) === '(';
  const plus = text.charAt(bracketed ? at + 1 : at) === '+';
  const first = at + (bracketed ? 1 : 0) + (plus ? 1 : 0);
  const groups = digitGroups(text, first, MOST, SEPARATOR);
  for (let n = groups.length; n > 0; n -= 1) {
    const tried = groups.slice(0, n);
    const { end } = tried.at(-1) as DigitGroup;
    if (isInsideWord(text, end) || /^[.-][\d\f]/.test(text.slice(end, end + 2))) continue;
    if (isNumber(tried, plus, bracketed)) return end;
  }
  return null;
};

const isNumber = (groups: readonly DigitGroup[], plus: boolean, bracketed: boolean): boolean => {
  const digits = groups.map((group) => group.digits).join('');
  if (digits.length < LEAST || isDateOrAddress(groups)) return false;
  if (plus) return !digits.startsWith('0');
  if (digits.startsWith('00')) return digits.length >= 9 && /^00[1-9]/.test(digits);
  return isTrunk(groups, digits, bracketed) || isNorthAmerican(groups, digits);
};

const isTrunk = (groups: readonly DigitGroup[], digits: string, bracketed: boolean): boolean => {
  if (!/^0[1-9]/.test(digits) || digits.length > 12) return false;
  if (groups.length === 1) return digits.length >= 9 && !bracketed;
  return groups.length <= 6 && (groups[0] as DigitGroup).digits.length >= 2;
};

/** NANP: area and exchange do not begin with 0 or 1. */
const isNorthAmerican = (groups: readonly DigitGroup[], digits: string): boolean =>
  /^(?:1,)?3,3,4$/.test(groups.map((group) => group.digits.length).join(',')) &&
  /^1?[2-9]\d{2}[2-9]\d{6}$/.test(digits);

/** 01.02.2024, 2024-01-02, 01/02/24, also with a number before or behind; 10.0.0.1. */
const isDateOrAddress = (groups: readonly DigitGroup[]): boolean =>
  groups.some((_, i) => isDate(groups.slice(i, i + 3), groups.length)) ||
  (groups.length === 4 &&
    groups.every(({ digits, separator }, i) => digits.length <= 3 && (i === 0 || separator === '.')));

const isDate = ([a, b, c]: readonly DigitGroup[], count: number): boolean => {
  if (a === undefined || b === undefined || c === undefined) return false;
  if (b.separator !== c.separator || !'./-'.includes(b.separator)) return false;
  const written = `${a.digits}-${b.digits}-${c.digits}`;
  if (count === 3 && /^\d\d-\d\d-\d\d$/.test(written)) return true;
  return /^(?:\d\d?-\d\d?-(?:19|20)\d\d|(?:19|20)\d\d-\d\d?-\d\d?)$/.test(written);
};
