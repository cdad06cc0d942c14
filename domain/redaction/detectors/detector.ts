/** A range of a text: UTF-16 offsets, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds one kind of sensitive text, in time linear in the length.
 *
 * Detection is local, so that a text can be scanned piece by piece: whether a match starts at an offset depends on at
 * most `LOOK_BEHIND` characters before it, and on the text after it up to `settledUpTo`.
 */
export interface Detector {
  /** All matches that start at or after `from`, in order, without overlaps. The text is considered complete. */
  readonly find: (text: string, from: number) => readonly Span[];
  /**
   * For an incomplete text: matches that start before this offset do not change, whatever follows. The rest of the
   * text must be held back; each detector bounds its length.
   */
  readonly settledUpTo: (text: string) => number;
}

/**
 * Stands for each character of an existing replacement (a form feed, which every pattern treats as white space), so
 * that redacted text is not redacted again. The original text is unknown, so a detector that checks neighbouring
 * characters must assume that they prevent a match.
 */
export const MASK = '\f';

/**
 * Maximum characters before an offset that a detector reads: 200 visible ones and the invisible ones between them,
 * which `folded` skips.
 */
export const LOOK_BEHIND = 1_024;

const WORD = /[\p{L}\p{N}_]/u;

/** Whether the offset is inside of a word: no match starts or ends there. */
export const isInsideWord = (text: string, at: number): boolean =>
  at > 0 && at < text.length && WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at));

/** The start of the run of such characters at the end of a text, reading back over at most `max` of them. */
export const tailOf = (text: string, isPart: (char: string) => boolean, max: number): number => {
  let start = text.length;
  while (start > 0 && text.length - start < max && isPart(text.charAt(start - 1))) start -= 1;
  return start;
};

/** The first offset in `from..to` whose character passes, or `to`. */
export const firstOf = (
  text: string,
  from: number,
  to: number,
  passes: (char: string) => boolean,
): number => {
  let at = from;
  while (at < to && !passes(text.charAt(at))) at += 1;
  return at;
};

export const isDigit = (char: string): boolean => char >= '0' && char <= '9' && char.length === 1;

/** Spaces within numbers: the usual one, and non-breaking and thin ones. */
export const SPACES = ' \u00a0\u2009\u202f';
const DASHES = '\\-\u2010\u2011\u2012\u2013';

/**
 * Separator between the groups of a long number: a sign, one or two spaces, or a line break with at most one space on
 * each side.
 */
export const SEPARATOR = new RegExp(`[${SPACES}]?\\r?\\n[${SPACES}]?|[${SPACES}]{1,2}|[._/${DASHES}]`, 'y');
/** Length of the longest separator. */
export const MAX_SEPARATOR_LENGTH = 4;

const NUMBER_PUNCTUATION = `${SPACES}.-_/()+\r\n\u2010\u2011\u2012\u2013`;
const isNumberPart = (char: string): boolean =>
  isDigit(char) || (char !== '' && NUMBER_PUNCTUATION.includes(char));

/** The start of the digits and separators at the end of a text: at most `max` characters. */
export const numberTail = (text: string, max: number): number => tailOf(text, isNumberPart, max);

/** A run of digits in a long number, with its separator. */
export interface DigitGroup extends Span {
  readonly digits: string;
  /** Between the previous group and this one; empty for the first. */
  readonly separator: string;
}

/**
 * Reads the digit groups from `start`, which must be at a digit, while the separators match and the total is at most
 * `max` digits: a group that would exceed the limit is not included. Reads at most one group more than it returns.
 */
export const digitGroups = (
  text: string,
  start: number,
  max: number,
  separator: RegExp,
): readonly DigitGroup[] => {
  const groups: DigitGroup[] = [];
  let at = start;
  let between = '';
  for (let count = 0; ;) {
    let end = at;
    while (isDigit(text.charAt(end)) && end - at <= max) end += 1;
    count += end - at;
    if (end === at || count > max) return groups;
    groups.push({ start: at, end, digits: text.slice(at, end), separator: between });
    separator.lastIndex = end;
    between = separator.exec(text)?.[0] ?? '';
    if (between === '') return groups;
    at = end + between.length;
  }
};

export const digitsOf = (groups: readonly DigitGroup[]): string =>
  groups.map(({ digits }) => digits).join('');

/** Luhn check (ISO/IEC 7812-1): with every second digit from the right doubled, the digit sum is a multiple of ten. */
export const hasLuhnDigit = (digits: string): boolean => {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = 2 * digit;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

/** ISO/IEC 7064, MOD 11,10. */
export const hasMod1110Digit = (digits: string): boolean => {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
};

/** Remainder of ISO/IEC 7064, MOD 97-10, over digits and letters, whose values are 10 to 35. */
export const mod97 = (written: string): number => {
  let rest = 0;
  for (const char of written) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
};

/** The sum of the digits, each multiplied by its weight. */
export const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);

/** The end of a match of one kind that starts at this offset, without regard to other kinds; null for none. */
export type EndAt = (text: string, at: number) => number | null;

/**
 * How far before a span the start of a stronger match is searched; the check at each offset reads at most 50 characters
 * further back.
 */
const MAX_LOOK_BACK = 100;

/**
 * Whether a match of a stronger kind overlaps this span without lying inside of it. Then the span is not a match,
 * because replacing it would leave the rest of the stronger match readable, even if the policy does not look for the
 * stronger kind.
 */
export const splitsStrongerMatch = (
  text: string,
  { start, end }: Span,
  stronger: readonly EndAt[],
): boolean => {
  for (let at = Math.max(0, start - MAX_LOOK_BACK); at < end; at += 1) {
    for (const endAt of stronger) {
      const other = endAt(text, at);
      if (other !== null && other > start && (at < start || other > end)) return true;
    }
  }
  return false;
};

/** Maximum length of a group of letters and digits that is read back. */
const MAX_GROUP = 34;
const SIGNS = '.-\u2010\u2011\u2012\u2013';
const ALPHANUMERIC = /[\p{L}\p{N}]/u;

/**
 * Whether the digits at `at` continue a longer number: a group with a digit precedes them, separated by one space,
 * point or hyphen. A preceding date, time or year, or up to three digits (of a house or a list), does not count. Reads
 * back two groups.
 */
export const isInsideNumber = (text: string, at: number): boolean => {
  if (!goesOnBefore(text, at)) return false;
  const isSpace = SPACES.includes(text.charAt(at - 1));
  const start = isSpace ? unrelatedNumberStart(text, at - 1) : null;
  return start === null || goesOnBefore(text, start) || beforeJoint(text, start) === MASK;
};

/** The character before the joint that precedes `at`, or directly before `at` if there is no joint. */
const beforeJoint = (text: string, at: number): string =>
  isJoint(text.charAt(at - 1)) ? text.charAt(at - 2) : text.charAt(at - 1);

const isJoint = (char: string): boolean => char !== '' && (SPACES.includes(char) || SIGNS.includes(char));

/**
 * Whether a group with a digit precedes the joint before `at`. If the joint is a sign, a replacement counts too: it may
 * have replaced such a group.
 */
const goesOnBefore = (text: string, at: number): boolean => {
  if (at < 2 || !isJoint(text.charAt(at - 1))) return false;
  if (text.charAt(at - 2) === MASK) return !SPACES.includes(text.charAt(at - 1));
  const earliest = Math.max(0, at - 1 - MAX_GROUP);
  for (let i = at - 2; i >= earliest; i -= 1) {
    const char = text.charAt(i);
    if (isDigit(char)) return true;
    if (!ALPHANUMERIC.test(char)) return false;
  }
  return false;
};

/** A date, a time, a year, or up to three digits. */
const UNRELATED_NUMBER =
  /(?<![\p{L}\p{N}])(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)|\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?|(?:19|20)\d\d|\d{1,3})$/u;
const MAX_UNRELATED_LENGTH = 10;

const unrelatedNumberStart = (text: string, end: number): number | null => {
  const before = Math.max(0, end - MAX_UNRELATED_LENGTH - 1);
  const found = UNRELATED_NUMBER.exec(text.slice(before, end));
  return found === null ? null : before + found.index;
};
