import { mod97 } from './check-digits.ts';
import { type Detector, isDigit, isInsideWord, type Span } from './detector.ts';
import { IBAN_STRUCTURES } from './iban-structures.ts';
import { SEPARATOR, WIDEST } from './separators.ts';

/** The longest of the registry, with the widest separator before each character. */
const LONGEST = 34;
const REACH = LONGEST * (1 + WIDEST);
const LETTER = /[A-Za-z]/;
const HEAD = new RegExp(`[A-Za-z]{2}(?:${SEPARATOR.source})?\\d(?:${SEPARATOR.source})?\\d`, 'g');

const HEAD_HERE = new RegExp(HEAD.source, 'y');

/**
 * Account numbers of ISO 13616: the country's length and structure, and the two check digits (ISO/IEC 7064, MOD 97-10),
 * in one run or in groups of any size, in capital or small letters; at most one line break is between the groups.
 */
export const ibanDetector: Detector = {
  find: (text, from) => {
    const found: Span[] = [];
    HEAD.lastIndex = from;
    for (let head = HEAD.exec(text); head !== null; head = HEAD.exec(text)) {
      const start = head.index;
      const read = mayBegin(text, start) ? structured(text, start) : null;
      const end = read !== null && read !== 'open' && isValid(text, read) ? read.end : null;
      if (end !== null) found.push({ start, end });
      HEAD.lastIndex = end ?? start + 1;
    }
    return found;
  },
  settledUpTo: (text) => {
    for (let at = Math.max(0, text.length - REACH); at < text.length; at += 1) {
      if (!LETTER.test(text.charAt(at)) || !mayBegin(text, at)) continue;
      const read = structured(text, at);
      if (read === 'open' || read?.end === text.length) return at;
    }
    return text.length;
  },
};

/** Where what looks like one ends, be its check digits right or not; null: none begins at this offset. */
export const ibanShapeEnd = (text: string, at: number): number | null => {
  HEAD_HERE.lastIndex = at;
  if (!HEAD_HERE.test(text) || !mayBegin(text, at)) return null;
  const read = structured(text, at);
  if (read === null || read === 'open' || isInsideWord(text, read.end)) return null;
  // `no 12 …` is a word and a number.
  return /^[A-Z]{2}\d\d/.test(text.slice(at, at + 4)) || isValid(text, read) ? read.end : null;
};

/** The name may be written together with the number. */
const mayBegin = (text: string, at: number): boolean =>
  !isInsideWord(text, at) ||
  (/^iban$/i.test(text.slice(Math.max(0, at - 4), at)) && !isInsideWord(text, at - 4));

interface Read {
  readonly end: number;
  /** Without separators. */
  readonly written: string;
}

/** What has the structure of its country; `open`: the text ends before that is known. */
const structured = (text: string, start: number): Read | 'open' | null => {
  if (start + 1 >= text.length) return 'open';
  const structure = IBAN_STRUCTURES.get(text.slice(start, start + 2).toUpperCase());
  if (structure === undefined) return null;
  let written = text.slice(start, start + 2);
  let at = start + 2;
  for (let lines = 0; written.length < structure.length; at += 1) {
    SEPARATOR.lastIndex = at;
    const between = SEPARATOR.exec(text)?.[0] ?? '';
    if (between.includes('\n')) lines += 1;
    at += between.length;
    // A carriage return may turn out to begin a line break.
    if (at >= text.length || text.startsWith('\r', at)) return at + 1 >= text.length ? 'open' : null;
    const char = text.charAt(at);
    if (lines > 1 || !fits(char, structure.charAt(written.length))) return null;
    written += char;
  }
  return { end: at, written };
};

const fits = (char: string, kind: string): boolean =>
  isDigit(char) ? kind !== 'a' : kind !== 'n' && LETTER.test(char);

const isValid = (text: string, { end, written }: Read): boolean =>
  !isInsideWord(text, end) && mod97(written.slice(4) + written.slice(0, 4)) === 1;
