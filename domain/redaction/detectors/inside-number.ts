import { isDigit, MASK } from './detector.ts';
import { SPACES } from './separators.ts';

/** The longest group of letters and figures that is looked over. */
const MOST_GROUP = 34;
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
  const least = Math.max(0, at - 1 - MOST_GROUP);
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
