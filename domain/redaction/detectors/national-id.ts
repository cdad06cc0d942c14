import { cardEnd, cardsSettledUpTo } from './card.ts';
import {
  type Detector,
  SPACES,
  type Span,
  splitsStrongerMatch,
  firstOf,
  isDigit,
  isInsideNumber,
  isInsideWord,
} from './detector.ts';
import { ibanDetector, ibanShapeEnd } from './iban.ts';
import { type IdForm, NATIONAL_IDS } from './national-ids.ts';

/** Length of the longest form, `9 99 99 9X 999 999 99`, and what follows it. */
const MAX_EXTENT = 24;
const isLetter = (char: string): boolean => /^[A-Za-z]$/.test(char);
const isOpening = (char: string): boolean => isDigit(char) || isLetter(char);
/** Forms that start with a digit, and forms that start with a letter. */
const NUMERIC = NATIONAL_IDS.filter(({ form }) => form.startsWith('9'));
const LETTERED = NATIONAL_IDS.filter(({ form }) => form.startsWith('A'));
const CLASSES: { readonly [wanted: string]: string } = {
  9: '\\d',
  A: '[A-Za-z]',
  X: '[A-Za-z\\d]',
  ' ': `[${SPACES}]`,
  '-': '[-\\u2010\\u2011\\u2013]',
};
/** Matches if any of the forms fits here; most words and numbers fit none. */
const anyOf = (forms: readonly IdForm[]): RegExp =>
  new RegExp(
    forms.map(({ form }) => [...form].map((wanted) => CLASSES[wanted] ?? `\\${wanted}`).join('')).join('|'),
    'y',
  );
const [NUMERIC_FORM, LETTERED_FORM] = [anyOf(NUMERIC), anyOf(LETTERED)];
const hasForm = (text: string, at: number): boolean => {
  const forms = isDigit(text.charAt(at)) ? NUMERIC_FORM : LETTERED_FORM;
  forms.lastIndex = at;
  return forms.test(text);
};

const beginning = (char: string): readonly IdForm[] => (isDigit(char) ? NUMERIC : LETTERED);

/** Personal identification numbers that can be distinguished from other numbers: see `NATIONAL_IDS`. */
export const nationalIdDetector: Detector = {
  find: (text, from) => {
    const found: Span[] = [];
    for (let at = firstOf(text, from, text.length, isOpening); at < text.length;) {
      const end = nationalIdEnd(text, at);
      const stands = end !== null && !splitsStrongerMatch(text, { start: at, end }, [ibanShapeEnd, cardEnd]);
      if (stands) found.push({ start: at, end });
      // No id starts inside of a word.
      const next = stands ? end : firstOf(text, at, text.length, (char) => !isOpening(char));
      at = firstOf(text, next, text.length, isOpening);
    }
    return found;
  },
  settledUpTo: (text) =>
    Math.min(idsSettledUpTo(text, isOpening), cardsSettledUpTo(text), ibanDetector.settledUpTo(text)),
};

/** For ids that start with such a character; ignores stronger kinds. */
export const idsSettledUpTo = (text: string, begins: (char: string) => boolean): number => {
  for (let at = Math.max(0, text.length - MAX_EXTENT); at < text.length; at += 1) {
    if (!begins(text.charAt(at)) || isInsideWord(text, at)) continue;
    for (const { form } of beginning(text.charAt(at))) {
      const read = readAs(text, at, form);
      // Up to two characters after the id are checked.
      if (read === 'open' || (read === 'whole' && at + form.length + 2 > text.length)) return at;
    }
  }
  return text.length;
};

/** The end of the longest id that starts here; null for none. */
export const nationalIdEnd = (text: string, at: number): number | null => {
  if (!isOpening(text.charAt(at)) || !hasForm(text, at) || isInsideWord(text, at)) return null;
  let longest = 0;
  for (const { form, isValid } of beginning(text.charAt(at))) {
    const end = at + form.length;
    if (readAs(text, at, form) !== 'whole' || !mayEnd(text, end) || !mayBegin(text, at, form)) continue;
    const written = text.slice(at, end).replaceAll(/[^A-Za-z0-9]/g, '');
    if (isValid(written.toUpperCase())) longest = Math.max(longest, form.length);
  }
  return longest === 0 ? null : at + longest;
};

/** An id is not part of a longer grouped number. A form without spaces may follow another number. */
const mayBegin = (text: string, at: number, form: IdForm['form']): boolean => {
  if (!isDigit(text.charAt(at))) return true;
  if (/[\d\f][.,-]$|[$€£#] ?$/.test(text.slice(Math.max(0, at - 2), at))) return false;
  return !form.includes(' ') || !isInsideNumber(text, at);
};

const mayEnd = (text: string, end: number): boolean =>
  !isInsideWord(text, end) && text.charAt(end) !== '@' && !/^[.-][\d\f]/.test(text.slice(end, end + 2));

/** Whether the text here has this form; `open` if the text ends before this can be decided. */
const readAs = (text: string, at: number, form: string): 'whole' | 'open' | 'other' => {
  for (let i = 0; i < form.length; i += 1) {
    if (at + i >= text.length) return 'open';
    if (!fits(text.charAt(at + i), form.charAt(i))) return 'other';
  }
  return 'whole';
};

const fits = (char: string, wanted: string): boolean => {
  switch (wanted) {
    case '9':
      return isDigit(char);
    case 'A':
      return isLetter(char);
    case 'X':
      return isOpening(char);
    case ' ':
      return SPACES.includes(char);
    case '-':
      return /^[-\u2010\u2011\u2013]$/.test(char);
    default:
      return char === wanted;
  }
};
