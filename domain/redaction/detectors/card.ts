import { type Detector, firstOf, isDigit, isInsideWord, type Span, tailOf } from './detector.ts';
import { type DigitGroup, digitGroups, digitsOf } from './digit-groups.ts';

const LEAST = 13;
const MOST = 19;
/** A card number with a separator after each digit but the last, and one character more. */
const REACH = 2 * MOST;
const SEPARATORS = ' \u00a0\u2009\u202f.\u2011\u2013-';
const SEPARATOR = new RegExp(`[${SEPARATORS}]`, 'y');

/**
 * Numbers of payment cards: 13 to 19 digits, in one run or in groups with one separator between them, whose first digit
 * is one of the financial industry's (2 to 6) and whose last is the check digit (ISO/IEC 7812-1, Luhn).
 */
export const cardDetector: Detector = {
  find: (text, from) => {
    const found: Span[] = [];
    for (let at = firstOf(text, from, text.length, isDigit); at < text.length;) {
      const end = isDigit(text.charAt(at - 1)) || isInsideWord(text, at) ? null : cardEnd(text, at);
      if (end !== null) found.push({ start: at, end });
      at = firstOf(text, end ?? endOfRun(text, at), text.length, isDigit);
    }
    return found;
  },
  settledUpTo: (text) => {
    const tail = tailOf(text, (char) => isDigit(char) || SEPARATORS.includes(char), REACH);
    return firstOf(text, tail, text.length, isDigit);
  },
};

const endOfRun = (text: string, at: number): number =>
  firstOf(text, at, text.length, (char) => !isDigit(char));

/** The longest that fits: 19 digits are not a number of 16 with something behind it. */
const cardEnd = (text: string, at: number): number | null => {
  if (!'23456'.includes(text.charAt(at))) return null;
  const groups = digitGroups(text, at, MOST, SEPARATOR);
  for (let n = groups.length; n > 0; n -= 1) {
    const { end } = groups[n - 1] as Span;
    const digits = digitsOf(groups.slice(0, n));
    if (digits.length < LEAST) return null;
    if (n > 1 && !groups.slice(0, n).every(isUsualGroup)) continue;
    if (hasLuhnDigit(digits) && !isInsideWord(text, end)) return end;
  }
  return null;
};

/** Not the figures of a decimal fraction. */
const isUsualGroup = ({ digits }: DigitGroup): boolean => digits.length >= 2 && digits.length <= 7;

/** From the right, every second digit doubled, the sum of all digits is a multiple of ten. */
const hasLuhnDigit = (digits: string): boolean => {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - i));
    const doubled = 2 * digit;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};
