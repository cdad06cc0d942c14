/** A stretch of a text: UTF-16 offsets, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds one kind of thing in a text, in time linear in its length.
 *
 * Detection is local, so that a text can be looked through piece by piece: whether something begins at an offset
 * depends on at most `LOOK_BEHIND` characters before it and, from it on, on what lies up to `settledUpTo`.
 */
export interface Detector {
  /** Everything that begins at or after `from` and does not overlap, in order; the text is taken to end where it ends. */
  readonly find: (text: string, from: number) => readonly Span[];
  /**
   * For a text that may go on: what begins before this offset is as `find` says, whatever follows. The text from there
   * on is what has to be held back; it is bounded as each detector says.
   */
  readonly settledUpTo: (text: string) => number;
}

/**
 * Stands for each character of a replacement that is in a text already (a form feed, white space to every pattern): a
 * text that was redacted is not redacted again for what was put into it. What stood there before is not known, so that
 * a detector which looks at its neighbours takes it for what forbids a match.
 */
export const MASK = '\f';

/** Characters before an offset that a detector may look at: 200, each with the invisible ones that `folded` skips. */
export const LOOK_BEHIND = 1_024;

const WORD = /[\p{L}\p{N}_]/u;

/** Whether a word goes on over this offset: there nothing begins and nothing ends. */
export const isInsideWord = (text: string, at: number): boolean =>
  at > 0 && at < text.length && WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at));

/** Where the run of these characters at the end of a text begins, looking back over at most `most` of them. */
export const tailOf = (text: string, isPart: (char: string) => boolean, most: number): number => {
  let start = text.length;
  while (start > 0 && text.length - start < most && isPart(text.charAt(start - 1))) start -= 1;
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

/** Spaces that stand within numbers: the usual one, and those that do not break or are thin. */
export const SPACES = ' \u00a0\u2009\u202f';
const DASHES = '\\-\u2010\u2011\u2012\u2013';

/**
 * Between the groups of a long number: a sign, one or two spaces, or a line break with at most a space on either side.
 */
export const SEPARATOR = new RegExp(`[${SPACES}]?\\r?\\n[${SPACES}]?|[${SPACES}]{1,2}|[._/${DASHES}]`, 'y');
/** The longest separator. */
export const WIDEST = 4;

const NUMBER = `${SPACES}.-_/()+\r\n\u2010\u2011\u2012\u2013`;
const isNumberPart = (char: string): boolean => isDigit(char) || (char !== '' && NUMBER.includes(char));

/** Where the figures at the end of a text begin, with what may stand between them: at most `most` characters. */
export const numberTail = (text: string, most: number): number => tailOf(text, isNumberPart, most);

/** Runs of digits one after the other, as people write long numbers, with what separates them. */
export interface DigitGroup extends Span {
  readonly digits: string;
  /** Between the group before and this one; empty for the first. */
  readonly separator: string;
}

/**
 * The groups from `start`, which is at a digit, as long as what separates them passes and there are at most `most`
 * digits altogether: the group that would exceed them is left out. Looks at no more than it answers and one group.
 */
export const digitGroups = (
  text: string,
  start: number,
  most: number,
  separator: RegExp,
): readonly DigitGroup[] => {
  const groups: DigitGroup[] = [];
  let at = start;
  let between = '';
  for (let count = 0; ;) {
    let end = at;
    while (isDigit(text.charAt(end)) && end - at <= most) end += 1;
    count += end - at;
    if (end === at || count > most) return groups;
    groups.push({ start: at, end, digits: text.slice(at, end), separator: between });
    separator.lastIndex = end;
    between = separator.exec(text)?.[0] ?? '';
    if (between === '') return groups;
    at = end + between.length;
  }
};

export const digitsOf = (groups: readonly DigitGroup[]): string =>
  groups.map(({ digits }) => digits).join('');

/** From the right, every second digit doubled, the sum of all digits is a multiple of ten (ISO/IEC 7812-1, Luhn). */
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

/** ISO/IEC 7064, MOD 97-10, over digits and letters, which count 10 to 35. */
export const mod97 = (written: string): number => {
  let rest = 0;
  for (const char of written) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
};

/** The digits, each multiplied by its weight, added up. */
export const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);

/** Where something of a kind ends that begins at this offset, taken by itself; null: nothing does. */
export type EndAt = (text: string, at: number) => number | null;

/** How far back a longer number is looked for: what looks there looks back over half of it again at most. */
const BACK = 100;

/**
 * Whether something of a stronger kind covers a part of this span and more than it. Then the span is no finding, since it
 * would leave the rest of the other standing, whether a policy looks for the stronger kind or not.
 */
export const cutsAnother = (text: string, { start, end }: Span, stronger: readonly EndAt[]): boolean => {
  for (let at = Math.max(0, start - BACK); at < end; at += 1) {
    for (const endAt of stronger) {
      const other = endAt(text, at);
      if (other !== null && other > start && (at < start || other > end)) return true;
    }
  }
  return false;
};

/** The longest group of letters and figures that is looked over. */
const MAX_GROUP = 34;
const SIGNS = '.-\u2010\u2011\u2012\u2013';
const ALPHANUMERIC = /[\p{L}\p{N}]/u;

/**
 * Whether the group of figures at `at` goes on with a longer number: another group with a figure in it stands before,
 * and one space, point or hyphen between. A date, a time or a year before it, and one figure or a few (of a house, of a
 * list) are something else. Looks back over two groups.
 */
export const isInsideNumber = (text: string, at: number): boolean => {
  if (!goesOnBefore(text, at)) return false;
  const isSpace = SPACES.includes(text.charAt(at - 1));
  const start = isSpace ? headStart(text, at - 1) : null;
  return start === null || goesOnBefore(text, start) || beforeJoint(text, start) === MASK;
};

/** The character that a joint before `at` joins to; empty where there is no joint. */
const beforeJoint = (text: string, at: number): string =>
  isJoint(text.charAt(at - 1)) ? text.charAt(at - 2) : text.charAt(at - 1);

const isJoint = (char: string): boolean => char !== '' && (SPACES.includes(char) || SIGNS.includes(char));

/** Whether a group with a figure is joined here, or by a sign a replacement, in whose place one may have stood. */
const goesOnBefore = (text: string, at: number): boolean => {
  if (at < 2 || !isJoint(text.charAt(at - 1))) return false;
  if (text.charAt(at - 2) === MASK) return !SPACES.includes(text.charAt(at - 1));
  const least = Math.max(0, at - 1 - MAX_GROUP);
  for (let i = at - 2; i >= least; i -= 1) {
    const char = text.charAt(i);
    if (isDigit(char)) return true;
    if (!ALPHANUMERIC.test(char)) return false;
  }
  return false;
};

/** A date, a time, a year, or up to three figures. */
const HEAD =
  /(?<![\p{L}\p{N}])(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)|\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?|(?:19|20)\d\d|\d{1,3})$/u;
const LONGEST_HEAD = 10;

const headStart = (text: string, end: number): number | null => {
  const before = Math.max(0, end - LONGEST_HEAD - 1);
  const head = HEAD.exec(text.slice(before, end));
  return head === null ? null : before + head.index;
};
