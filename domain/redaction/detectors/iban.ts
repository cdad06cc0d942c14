import {
  type Detector,
  SEPARATOR,
  type Span,
  MAX_SEPARATOR_LENGTH,
  isDigit,
  isInsideWord,
  mod97,
} from './detector.ts';

/** Length of the longest IBAN in the registry; below, with the widest separator before each character. */
const MAX_IBAN_LENGTH = 34;
const MAX_EXTENT = MAX_IBAN_LENGTH * (1 + MAX_SEPARATOR_LENGTH);
const LETTER = /[A-Za-z]/;
const HEAD = new RegExp(`[A-Za-z]{2}(?:${SEPARATOR.source})?\\d(?:${SEPARATOR.source})?\\d`, 'g');

const HEAD_HERE = new RegExp(HEAD.source, 'y');

/**
 * International bank account numbers (ISO 13616): the country's length and structure, and valid check digits (ISO/IEC
 * 7064, MOD 97-10), in one run or in groups of any size, in upper or lower case, with at most one line break between
 * the groups.
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
    for (let at = Math.max(0, text.length - MAX_EXTENT); at < text.length; at += 1) {
      if (!LETTER.test(text.charAt(at)) || !mayBegin(text, at)) continue;
      const read = structured(text, at);
      if (read === 'open' || read?.end === text.length) return at;
    }
    return text.length;
  },
};

/**
 * The end of a text with the shape of an IBAN, whether its check digits are valid or not; null if none starts here.
 */
export const ibanShapeEnd = (text: string, at: number): number | null => {
  HEAD_HERE.lastIndex = at;
  if (!HEAD_HERE.test(text) || !mayBegin(text, at)) return null;
  const read = structured(text, at);
  if (read === null || read === 'open' || isInsideWord(text, read.end)) return null;
  // `no 12 …` is a word and a number.
  return /^[A-Z]{2}\d\d/.test(text.slice(at, at + 4)) || isValid(text, read) ? read.end : null;
};

/** The word `IBAN` may directly precede the number. */
const mayBegin = (text: string, at: number): boolean =>
  !isInsideWord(text, at) ||
  (/^iban$/i.test(text.slice(Math.max(0, at - 4), at)) && !isInsideWord(text, at - 4));

interface Read {
  readonly end: number;
  /** Without separators. */
  readonly written: string;
}

/** Reads a text with the structure of its country; `open` if the text ends before this can be decided. */
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
    // A carriage return may be the start of a line break.
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

/**
 * The structure after country and check digits, from SWIFT's registry of ISO 13616 (release 101): `n` digits, `a`
 * letters, `c` either.
 */
const STRUCTURES: { readonly [country: string]: string } = {
  AD: '8n12c',
  AE: '19n',
  AL: '8n16c',
  AT: '16n',
  AZ: '4a20c',
  BA: '16n',
  BE: '12n',
  BG: '4a6n8c',
  BH: '4a14c',
  BI: '23n',
  BR: '23n1a1c',
  BY: '4c4n16c',
  CH: '5n12c',
  CR: '18n',
  CY: '8n16c',
  CZ: '20n',
  DE: '18n',
  DJ: '23n',
  DK: '14n',
  DO: '4c20n',
  EE: '16n',
  EG: '25n',
  ES: '20n',
  FI: '14n',
  FK: '2a12n',
  FO: '14n',
  FR: '10n11c2n',
  GB: '4a14n',
  GE: '2a16n',
  GI: '4a15c',
  GL: '14n',
  GR: '7n16c',
  GT: '24c',
  HN: '4a20n',
  HR: '17n',
  HU: '24n',
  IE: '4a14n',
  IL: '19n',
  IQ: '4a15n',
  IS: '22n',
  IT: '1a10n12c',
  JO: '4a4n18c',
  KW: '4a22c',
  KZ: '3n13c',
  LB: '4n20c',
  LC: '4a24c',
  LI: '5n12c',
  LT: '16n',
  LU: '3n13c',
  LV: '4a13c',
  LY: '21n',
  MC: '10n11c2n',
  MD: '20c',
  ME: '18n',
  MK: '3n10c2n',
  MN: '16n',
  MR: '23n',
  MT: '4a5n18c',
  MU: '4a19n3a',
  NI: '4a20n',
  NL: '4a10n',
  NO: '11n',
  OM: '3n16c',
  PK: '4a16c',
  PL: '24n',
  PS: '4a21c',
  PT: '21n',
  QA: '4a21c',
  RO: '4a16c',
  RS: '18n',
  RU: '14n15c',
  SA: '2n18c',
  SC: '4a20n3a',
  SD: '14n',
  SE: '20n',
  SI: '15n',
  SK: '20n',
  SM: '1a10n12c',
  SO: '19n',
  ST: '21n',
  SV: '4a20n',
  TL: '19n',
  TN: '20n',
  TR: '6n16c',
  UA: '6n19c',
  VA: '18n',
  VG: '4a16n',
  XK: '16n',
  YE: '4a4n18c',
};

/** One character per position of an IBAN, including country and check digits. */
export const IBAN_STRUCTURES: ReadonlyMap<string, string> = new Map(
  Object.entries(STRUCTURES).map(([country, structure]) => [country, `aann${spelledOut(structure)}`]),
);

function spelledOut(structure: string): string {
  return structure.replaceAll(/(\d+)([nac])/g, (_, count: string, kind: string) =>
    kind.repeat(Number(count)),
  );
}
