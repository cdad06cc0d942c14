import { cardEnd, cardsSettledUpTo } from './card.ts';
import { cutsAnother } from './cuts-another.ts';
import { type Detector, firstOf, isDigit, isInsideWord, type Span } from './detector.ts';
import { type DigitGroup, digitGroups } from './digit-groups.ts';
import { ibanDetector, ibanShapeEnd } from './iban.ts';
import { isInsideNumber } from './inside-number.ts';
import { idsSettledUpTo, nationalIdEnd } from './national-id.ts';
import { isAnnounced } from './phone-context.ts';
import { isAnnouncedForm, isNationalForm } from './phone-forms.ts';
import { numberTail, SPACES } from './separators.ts';

/** ITU-T E.164: at most 15 digits. */
const MOST = 15;
const LEAST = 7;
/** Between two groups: one sign, or a bracket with a space: `+44 (0)20`, `(555) 123`, `030 / 12`. */
const SEPARATOR = new RegExp(
  `[${SPACES}]?[()/][${SPACES}]?|[${SPACES}]-[${SPACES}]|[${SPACES}.-]|[\\u2010-\\u2013]`,
  'y',
);
/** Each digit with the longest separator, the sign and a bracket before, and what follows. */
const REACH = 4 * MOST + 6;

const isOpening = (char: string): boolean => isDigit(char) || char === '+' || char === '(';

/**
 * Telephone numbers of 7 to 15 digits: international ones (E.164, `+` or `00`), national ones with a trunk zero
 * (Europe and most of the world; 9 to 12 digits unless they are in groups), those that the writing of their country
 * tells (see `isNationalForm`), and others where a word announces them. Bare runs of other digits are no telephone
 * numbers, nor are dates, times, versions and addresses of the Internet.
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
  settledUpTo: (text) =>
    Math.min(
      firstOf(text, numberTail(text, REACH), text.length, isOpening),
      cardsSettledUpTo(text),
      // No figures of an id that begins with letters are a telephone number.
      idsSettledUpTo(text, isDigit),
      ibanDetector.settledUpTo(text),
    ),
};
const STRONGER = [ibanShapeEnd, cardEnd, nationalIdEnd];

const nextOpening = (text: string, at: number): number =>
  isDigit(text.charAt(at)) ? firstOf(text, at, text.length, (char) => !isDigit(char)) : at + 1;

const mayBegin = (text: string, at: number): boolean => {
  const char = text.charAt(at);
  if (char === '+' || char === '(') return isDigit(text.charAt(at + 1)) || text.startsWith('(+', at);
  if (isInsideWord(text, at) || isInsideNumber(text, at)) return false;
  // In the middle of a number, of an identifier or of a path; an amount.
  return !/[\d\f],$|\p{L}[-/=]$|[$€£#]$/u.test(text.slice(Math.max(0, at - 2), at));
};

const phoneEnd = (text: string, at: number): number | null => {
  const bracketed = text.charAt(at) === '(';
  const plus = text.charAt(bracketed ? at + 1 : at) === '+';
  const first = at + (bracketed ? 1 : 0) + (plus ? 1 : 0);
  const groups = digitGroups(text, first, MOST, SEPARATOR);
  if (!plus && isInDate(text, first) && !isInTwos(groups)) return null;
  for (let n = groups.length; n > 0; n -= 1) {
    const tried = groups.slice(0, n);
    const { end } = tried.at(-1) as DigitGroup;
    if (!mayEnd(text, end)) continue;
    const digits = tried.map((group) => group.digits).join('');
    if (digits.length < LEAST || isDateOrAddress(tried)) continue;
    const isNumber =
      (plus ? !digits.startsWith('0') : isDialled(tried, digits, bracketed)) ||
      (!plus && !goesOn(text, end) && isByItsForm(text, at, tried, digits));
    if (isNumber && !cutsAnother(text, { start: at, end }, STRONGER)) return end;
  }
  return null;
};

const isByItsForm = (text: string, at: number, groups: readonly DigitGroup[], digits: string): boolean =>
  isNationalForm(groups, digits) || (isAnnouncedForm(groups, digits) && isAnnounced(text, at));

const mayEnd = (text: string, end: number): boolean =>
  !isInsideWord(text, end) && text.charAt(end) !== '@' && !/^[.-][\d\f]/.test(text.slice(end, end + 2));

/** Whether one more group of figures follows behind a space. */
const goesOn = (text: string, end: number): boolean =>
  SPACES.includes(text.charAt(end)) && isDigit(text.charAt(end + 1));

/** With an exit code or a trunk zero. */
const isDialled = (groups: readonly DigitGroup[], digits: string, bracketed: boolean): boolean => {
  if (digits.startsWith('00')) return digits.length >= 9 && /^00[1-9]/.test(digits);
  if (!/^0[1-9]/.test(digits) || digits.length > 12) return false;
  if (groups.length === 1) return digits.length >= 9 && !bracketed;
  return groups.length <= 6 && (groups[0] as DigitGroup).digits.length >= 2;
};

/** 01.02.2024, 2024-01-02, also with a number before or behind; 10.0.0.1. */
const isDateOrAddress = (groups: readonly DigitGroup[]): boolean =>
  groups.slice(2).some((c, i) => isDate([groups[i]!, groups[i + 1]!, c])) ||
  (groups.length === 4 &&
    groups.every(({ digits, separator }, i) => digits.length <= 3 && (i === 0 || separator === '.')));

const isDate = ([a, b, c]: readonly [DigitGroup, DigitGroup, DigitGroup]): boolean => {
  if (b.separator !== c.separator || !'./-'.includes(b.separator)) return false;
  const written = `${a.digits}-${b.digits}-${c.digits}`;
  return /^(?:\d\d?-\d\d?-(?:19|20)\d\d|(?:19|20)\d\d-\d\d?-\d\d?)$/.test(written);
};

/** `01.02.24 08:30`, `2024/01/02 0830`: figures behind a date do not go on with it. */
const DATE =
  /(?<![\d./-])(?:\d\d?([./-])\d\d?\1(?:(?:19|20)\d\d|\d\d)|(?:19|20)\d\d([./-])\d\d?\2\d\d?)(?!\d|[./-]\d)/g;
const LONGEST_DATE = 10;

/** Whether the figures at `at` are of a date, its first ones or others. */
const isInDate = (text: string, at: number): boolean => {
  const start = Math.max(0, at - LONGEST_DATE);
  const around = text.slice(start, at + LONGEST_DATE + 2);
  return [...around.matchAll(DATE)].some(
    ({ index, 0: date }) => start + index <= at && at < start + index + date.length,
  );
};

/** As in France: `01.02.24 08 30` is a number there. */
const isInTwos = (groups: readonly DigitGroup[]): boolean =>
  groups.length === 5 && groups.every(({ digits }) => digits.length === 2);
