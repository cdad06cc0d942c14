import {
  type Detector,
  type DigitGroup,
  type EndAt,
  MASK,
  SEPARATOR,
  SPACES,
  type Span,
  MAX_SEPARATOR_LENGTH,
  splitsStrongerMatch,
  digitGroups,
  digitsOf,
  firstOf,
  hasLuhnDigit,
  isDigit,
  isInsideNumber,
  isInsideWord,
  numberTail,
} from './detector.ts';
import { ibanDetector, ibanShapeEnd } from './iban.ts';

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;
/** Length of a card number with the widest separator after each digit, and the characters that follow it. */
const MAX_EXTENT = MAX_DIGITS * (1 + MAX_SEPARATOR_LENGTH) + 2;

/**
 * Payment card numbers: 13 to 19 digits, in one run or in groups. The first digit belongs to the financial industry (2
 * to 6), the last is the check digit (ISO/IEC 7812-1, Luhn). A word of three or more letters may directly precede it:
 * `Visa4111…`.
 */
export const cardDetector: Detector = {
  find: (text, from) => {
    const found: Span[] = [];
    for (let at = firstOf(text, from, text.length, isDigit); at < text.length;) {
      const end = cardEnd(text, at);
      const span =
        end !== null && !splitsStrongerMatch(text, { start: at, end }, [ibanShapeEnd, laterCardEnd(at)])
          ? { start: at, end }
          : null;
      if (span !== null) found.push(span);
      at = firstOf(text, span?.end ?? endOfRun(text, at), text.length, isDigit);
    }
    return found;
  },
  settledUpTo: (text) => Math.min(cardsSettledUpTo(text), ibanDetector.settledUpTo(text)),
};

/** A year before a card number can form another valid number with its first groups. */
const laterCardEnd =
  (start: number): EndAt =>
  (text, at) =>
    at > start ? cardEnd(text, at) : null;

/** Ignores account numbers. A later card number may start before one ends. */
export const cardsSettledUpTo = (text: string): number =>
  firstOf(text, numberTail(text, 2 * MAX_EXTENT), text.length, isDigit);

const endOfRun = (text: string, at: number): number =>
  firstOf(text, at, text.length, (char) => !isDigit(char));

/**
 * The end of the card number that starts here; null for none. The longest valid one: 19 digits are not 16 and a rest.
 */
export const cardEnd = (text: string, at: number): number | null => {
  if (!'23456'.includes(text.charAt(at)) || !mayBegin(text, at)) return null;
  const groups = digitGroups(text, at, MAX_DIGITS, SEPARATOR);
  for (let n = groups.length; n > 0; n -= 1) {
    const tried = groups.slice(0, n);
    const { end } = tried.at(-1) as DigitGroup;
    const digits = digitsOf(tried);
    if (digits.length < MIN_DIGITS) return null;
    if (n > 1 && !(isUsual(tried) && !isInsideNumber(text, at))) continue;
    if (hasLuhnDigit(digits) && mayEnd(text, end)) return end;
  }
  return null;
};

const WORD_BEFORE = /(^|[^\p{L}\p{N}_])\p{L}{3,}$/u;
const MAX_WORD_LENGTH = 24;

const mayBegin = (text: string, at: number): boolean => {
  // Part of a grouped number or of a decimal fraction.
  if (/[\d\f][.-]$/.test(text.slice(Math.max(0, at - 2), at))) return false;
  if (!isInsideWord(text, at)) return true;
  const word = WORD_BEFORE.exec(text.slice(Math.max(0, at - MAX_WORD_LENGTH), at));
  return word !== null && word[1] !== MASK;
};

/** The number must not continue as a name, as a longer grouped number, or as an address. */
const mayEnd = (text: string, end: number): boolean =>
  (!isInsideWord(text, end) || text.charAt(end) === '_') && text.charAt(end) !== '@';

const USUAL = new RegExp(`^[${SPACES}.\\u2010-\\u2013-]$`);
const SHAPES = ['4,4,4,4', '4,4,4,4,3', '4,6,5', '4,6,4'];

/**
 * Whether the groups are typical of card numbers: not the digits of a decimal fraction, not a column of years. If they
 * are not separated by spaces or hyphens, they must have the shape of a card number, with at most one line break.
 */
const isUsual = (groups: readonly DigitGroup[]): boolean => {
  if (!groups.every(({ digits }) => digits.length >= 2 && digits.length <= 7)) return false;
  if (groups.every(({ digits }) => /^(?:19|20)\d\d$/.test(digits))) return false;
  const separators = groups.slice(1).map(({ separator }) => separator);
  if (separators.every((one) => USUAL.test(one))) return true;
  if (separators.filter((one) => one.includes('\n')).length > 1) return false;
  return SHAPES.includes(groups.map(({ digits }) => digits.length).join(','));
};
