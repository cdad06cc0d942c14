import { cardEnd, cardsSettledUpTo } from './card.ts';
import {
  type Detector,
  type DigitGroup,
  MASK,
  SPACES,
  type Span,
  splitsStrongerMatch,
  digitGroups,
  digitsOf,
  firstOf,
  isDigit,
  isInsideNumber,
  isInsideWord,
  numberTail,
} from './detector.ts';
import { ibanDetector, ibanShapeEnd } from './iban.ts';
import { idsSettledUpTo, nationalIdEnd } from './national-id.ts';

const lengths = (groups: readonly DigitGroup[]): string =>
  groups.map(({ digits }) => digits.length).join(',');

/**
 * National formats of countries without a trunk zero, if they can be distinguished from amounts and ids: the usual
 * groups, and the first digits. Signs: whether hyphens may separate the groups.
 */
const NATIONAL: readonly (readonly [shapes: readonly string[], begin: RegExp, signs: Signs])[] = [
  // North America: area and exchange do not begin with 0 or 1.
  [['3,3,4'], /^[2-9]..[2-9]/, 'any'],
  [['1,3,3,4'], /^1[2-9]..[2-9]/, 'any'],
  // China, mobile.
  [['3,4,4', '11'], /^1[3-9]/, 'any'],
  // India, mobile.
  [['5,5'], /^[6-9]/, 'any'],
  // Italy, mobile.
  [['3,7', '3,3,4', '3,4,3'], /^3[2-9]/, 'any'],
  // Spain, fixed and mobile.
  [['2,3,2,2'], /^9[1-8]/, 'any'],
  [['3,2,2,2'], /^[6-9]/, 'any'],
  // Norway, mobile.
  [['3,2,3'], /^[49]/, 'spaces'],
  // Brazil: area code and number, with a hyphen before the last four digits.
  [['2,5,4'], /^[1-9]\d9/, 'hyphen'],
  [['2,4,4'], /^[1-9]\d[2-5]/, 'hyphen'],
  // Russia and Kazakhstan: trunk prefix 8 and an area code of three digits.
  [['1,3,3,2,2', '1,3,3,4', '1,3,7'], /^8[3489]/, 'any'],
];
type Signs = 'any' | 'spaces' | 'hyphen';

/** Whether groups without `+` or trunk zero are a telephone number just by their format. */
const isNationalForm = (groups: readonly DigitGroup[], digits: string): boolean => {
  const shape = lengths(groups);
  const separators = groups.slice(1).map(({ separator }) => separator);
  return NATIONAL.some(
    ([shapes, begin, signs]) => shapes.includes(shape) && begin.test(digits) && allows(signs, separators),
  );
};

const allows = (signs: Signs, separators: readonly string[]): boolean =>
  signs === 'any' ||
  (signs === 'spaces' && separators.every((one) => SPACES.includes(one))) ||
  (signs === 'hyphen' && HYPHENS.includes(separators[1]!));
const HYPHENS = '-\u2010\u2011\u2013';

const YEAR = /^(?:19|20)\d\d$/;
/** Days, months and years. */
const DATES = ['2,2,4', '4,2,2'];
/** Thousands in groups. Three groups of three are missing here, because they are usual in Spain and Poland. */
const AMOUNTS = ['2,3,3', '2,3,3,3', '3,3,3,3'];

/**
 * Whether groups after an announcing word can be a telephone number of any country: at most 12 digits, no group of one
 * digit, and not dates, years or amounts.
 */
const isAnnouncedForm = (groups: readonly DigitGroup[], digits: string): boolean => {
  if (digits.length > 12) return false;
  if (groups.some((group) => group.digits.length < 2)) return false;
  const shape = lengths(groups);
  if (groups.every((group) => YEAR.test(group.digits))) return false;
  if (DATES.includes(shape) && groups.some((group) => YEAR.test(group.digits))) return false;
  return !AMOUNTS.includes(shape) && !digits.endsWith('000000');
};

/** Words that announce a telephone number, in several European languages, Chinese and Japanese. */
const WORDS = [
  'tel(?:[eé](?:ph|f)\\w*|\\.)?',
  't[eé]l[eé](?:phone)?',
  'phones?',
  'call(?:s|ed|ing)?',
  'ring|rang|dial(?:ed|led)?',
  'text(?:ed)?|sms|whats ?app|signal|viber',
  'fax',
  'mobile?s?|m[oó]vil|mobil\\w*|cell(?:ulare?|phone)?|celular|handy|portable|komórk\\w*|mob',
  'reach(?:ed|able)?|contact|hotline|helpline|voicemail|landline|switchboard|extension',
  'anruf\\w*|ruf\\w*|llam\\w+|appel\\w*|chiam\\w+|ligue|dzwoń|zadzwoń|ring\\w*|tlf|puhelin',
].join('|');
const ANNOUNCED = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${WORDS})(?![\\p{L}_])|电话|手机|電話|携帯`, 'giu');
/** Words between an announcing word and a number that is not a telephone number. */
const OTHER_NUMBERS =
  /(?<![\p{L}\p{N}_])(?:orders?|invoice|ticket|case|account|customer|isbn|issn|ean|sku|item|article|part|serial|code|id|ids|ref\w*|version|v|pin|zip|plz|build|bytes?|model|row|line|page|pages|people|times|units|usd|eur)(?![\p{L}_])/iu;
/** Maximum characters between the word and the number. */
const MAX_DISTANCE = 32;
const MAX_WORD_LENGTH = 16;

/** Whether a word shortly before, on the same line, announces a telephone number. Reads back 48 characters. */
const isAnnounced = (text: string, at: number): boolean => {
  const start = Math.max(0, at - MAX_DISTANCE - MAX_WORD_LENGTH);
  const before = text.slice(start, at);
  let last: RegExpExecArray | null = null;
  for (const word of before.matchAll(ANNOUNCED)) if (start === 0 || word.index > 0) last = word;
  if (last === null) return false;
  const between = before.slice(last.index + last[0].length);
  // The text behind a replacement is unknown.
  if (between.length > MAX_DISTANCE || /[\d\n\r]/.test(between) || between.includes(MASK)) return false;
  return !OTHER_NUMBERS.test(between);
};

/** ITU-T E.164: at most 15 digits. */
const MAX_DIGITS = 15;
const MIN_DIGITS = 7;
const EXIT_CODE = /^00[1-9]/;
/** Of a number without `+` and exit code. */
const MAX_GROUPS = 6;
/** Separator of two groups: one sign, or a bracket with a space: `+44 (0)20`, `(555) 123`, `030 / 12`. */
const SEPARATOR = new RegExp(
  `[${SPACES}]?[()/][${SPACES}]?|[${SPACES}]-[${SPACES}]|[${SPACES}.-]|[\\u2010-\\u2013]`,
  'y',
);
/** Length of all digits with the longest separator, the plus sign, a bracket, and what follows. */
const MAX_EXTENT = 4 * MAX_DIGITS + 6;

const isOpening = (char: string): boolean => isDigit(char) || char === '+' || char === '(';

/**
 * Telephone numbers of 7 to 15 digits: international ones (E.164, `+` or `00`), national ones with a trunk zero
 * (Europe and most of the world; 9 to 12 digits unless they are grouped), those in a national format (see
 * `isNationalForm`), and others after a word that announces them. Other runs of digits, dates, times, versions and IP
 * addresses are not telephone numbers.
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
      firstOf(text, numberTail(text, MAX_EXTENT), text.length, isOpening),
      cardsSettledUpTo(text),
      // The digits of an id that starts with letters are never a telephone number.
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
  // In the middle of a number, an identifier or a path; or an amount.
  return !/[\d\f],$|\p{L}[-/=]$|[$€£#]$/u.test(text.slice(Math.max(0, at - 2), at));
};

const phoneEnd = (text: string, at: number): number | null => {
  const bracketed = text.charAt(at) === '(';
  const plus = text.charAt(bracketed ? at + 1 : at) === '+';
  const first = at + (bracketed ? 1 : 0) + (plus ? 1 : 0);
  const groups = digitGroups(text, first, MAX_DIGITS, SEPARATOR);
  if (!plus && isInDate(text, first) && !isInPairs(groups)) return null;
  const isLong = plus || EXIT_CODE.test(digitsOf(groups));
  for (let n = isLong ? groups.length : Math.min(groups.length, MAX_GROUPS); n > 0; n -= 1) {
    const tried = groups.slice(0, n);
    const { end } = tried.at(-1) as DigitGroup;
    if (!mayEnd(text, end)) continue;
    const digits = digitsOf(tried);
    if (digits.length < MIN_DIGITS || isDateOrAddress(tried)) continue;
    const isNumber =
      (plus ? !digits.startsWith('0') : isDialled(tried, digits, bracketed)) ||
      (!plus && !hasFollowingGroup(text, end) && hasKnownFormat(text, at, tried, digits));
    if (isNumber && !splitsStrongerMatch(text, { start: at, end }, STRONGER)) return end;
  }
  return null;
};

const hasKnownFormat = (text: string, at: number, groups: readonly DigitGroup[], digits: string): boolean =>
  isNationalForm(groups, digits) || (isAnnouncedForm(groups, digits) && isAnnounced(text, at));

const mayEnd = (text: string, end: number): boolean =>
  !isInsideWord(text, end) && text.charAt(end) !== '@' && !/^[.-][\d\f]/.test(text.slice(end, end + 2));

/** Whether another group of digits follows after a space. */
const hasFollowingGroup = (text: string, end: number): boolean =>
  SPACES.includes(text.charAt(end)) && isDigit(text.charAt(end + 1));

/** Whether the number has an exit code or a trunk zero. */
const isDialled = (groups: readonly DigitGroup[], digits: string, bracketed: boolean): boolean => {
  if (digits.startsWith('00')) return digits.length >= 9 && EXIT_CODE.test(digits);
  if (!/^0[1-9]/.test(digits) || digits.length > 12) return false;
  if (groups.length === 1) return digits.length >= 9 && !bracketed;
  return groups.length <= MAX_GROUPS && (groups[0] as DigitGroup).digits.length >= 2;
};

/** 01.02.2024, 2024-01-02, also with a number before or after it; 10.0.0.1. */
const isDateOrAddress = (groups: readonly DigitGroup[]): boolean =>
  groups.slice(2).some((c, i) => isDate([groups[i]!, groups[i + 1]!, c])) ||
  (groups.length === 4 &&
    groups.every(({ digits, separator }, i) => digits.length <= 3 && (i === 0 || separator === '.')));

const isDate = ([a, b, c]: readonly [DigitGroup, DigitGroup, DigitGroup]): boolean => {
  if (b.separator !== c.separator || !'./-'.includes(b.separator)) return false;
  const written = `${a.digits}-${b.digits}-${c.digits}`;
  return /^(?:\d\d?-\d\d?-(?:19|20)\d\d|(?:19|20)\d\d-\d\d?-\d\d?)$/.test(written);
};

/** `01.02.24 08:30`, `2024/01/02 0830`: digits after a date do not continue it. */
const DATE =
  /(?<![\d./-])(?:\d\d?([./-])\d\d?\1(?:(?:19|20)\d\d|\d\d)|(?:19|20)\d\d([./-])\d\d?\2\d\d?)(?!\d|[./-]\d)/g;
const MAX_DATE_LENGTH = 10;

/** Whether the digits at `at` are part of a date. */
const isInDate = (text: string, at: number): boolean => {
  const start = Math.max(0, at - MAX_DATE_LENGTH);
  const around = text.slice(start, at + MAX_DATE_LENGTH + 2);
  return [...around.matchAll(DATE)].some(
    ({ index, 0: date }) => start + index <= at && at < start + index + date.length,
  );
};

/** French format: in `01.02.24 08 30` the five pairs are a telephone number. */
const isInPairs = (groups: readonly DigitGroup[]): boolean =>
  groups.length === 5 && groups.every(({ digits }) => digits.length === 2);
