import { type Detector, isDigit, MASK, type Span } from './detector.ts';

/**
 * Spellings of the two signs of an address: `@`, `(at)`, `[at]`, HTML references and percent encoding; `.`, `(dot)`,
 * `[.]`.
 */
const OPEN = '[ \\u00a0]?[(\\[{<][ \\u00a0]?';
const CLOSE = '[ \\u00a0]?[)\\]}>][ \\u00a0]?';
const AT = `@|&#0?64;|&#x0?40;|&commat;|%40|${OPEN}(?:at|@|ät|arroba)${CLOSE}`;
const DOT = `\\.\\.?|&#0?46;|&#x0?2e;|&period;|${OPEN}(?:dot|punkt|punto|point|\\.)${CLOSE}`;

const anyAt = (): RegExp => new RegExp(AT, 'giu');
const DOT_HERE = new RegExp(DOT, 'iuy');
/** Length of the longest spelling: ` ( arroba ) `. */
const MAX_SIGN_LENGTH = 12;

const SIGNS = ['at', '@', 'ät', 'arroba', 'dot', 'punkt', 'punto', 'point', '.'].map((name) => `(${name})`);
const REFERENCES = [
  '&#64;',
  '&#064;',
  '&#x40;',
  '&#x040;',
  '&commat;',
  '%40',
  '&#46;',
  '&#046;',
  '&#x2e;',
  '&#x02e;',
  '&period;',
];
const WRITINGS = [...SIGNS, ...REFERENCES];

/** Length of the end of a text that may be the start of a longer sign, or a complete one. */
const signBegun = (text: string): number => {
  for (let at = Math.max(0, text.length - MAX_SIGN_LENGTH); at < text.length; at += 1) {
    const begun = text
      .slice(at)
      .replaceAll(/[ \u00a0]/g, '')
      .replaceAll(/[[{<]/g, '(')
      .replaceAll(/[\]}>]/g, ')');
    if (WRITINGS.some((one) => one.startsWith(begun.toLowerCase()))) return text.length - at;
  }
  return 0;
};

/**
 * RFC 5321, section 4.5.3.1: maximum octets of the local part and of the domain (RFC 1035, section 2.3.4) and its
 * labels.
 */
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
const MAX_LABEL = 63;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const isLocal = (char: string): boolean =>
  LETTER_OR_DIGIT.test(char) || (char !== '' && "._%+-'&~".includes(char));
const isLabel = (char: string): boolean => LETTER_OR_DIGIT.test(char) || char === '-';

/**
 * E-mail addresses: `addr-spec` of RFC 5322 without comments and address literals, and without the characters that in
 * practice delimit an address (`=/?!#$*^{|}` and the backquote). Also accepts quoted local parts, letters of any
 * script (RFC 6531), disguised `@` and `.` (see `anyAt`), and a line break after `@`. The domain has at least two
 * labels, the last of which is not a number; or it is `localhost`.
 */
export const emailDetector: Detector = {
  find: (text, from) => {
    const found: Span[] = [];
    let earliest = from;
    const sign = anyAt();
    sign.lastIndex = from;
    for (let at = sign.exec(text); at !== null; at = sign.exec(text)) {
      const start = localStart(text, at.index, earliest);
      const end = start === null ? null : domainEnd(text, at.index + at[0].length);
      if (start === null || end === null) continue;
      found.push({ start, end });
      earliest = end;
      sign.lastIndex = end;
    }
    return found;
  },
  settledUpTo: (text) => {
    let settled = text.length;
    const window = Math.max(0, text.length - MAX_DOMAIN - 2 * MAX_SIGN_LENGTH - 2);
    const sign = anyAt();
    sign.lastIndex = window;
    for (let at = sign.exec(text); at !== null && settled === text.length; at = sign.exec(text)) {
      // A domain that may continue.
      if (domainReach(text, at.index + at[0].length) >= text.length)
        settled = quoteStart(text, at.index, 0) ?? localFrom(text, at.index);
      sign.lastIndex = at.index + 1;
    }
    const begun = text.length - signBegun(text);
    for (let at = begun; at <= text.length; at += 1) settled = Math.min(settled, localFrom(text, at));
    return Math.min(settled, quoteBegun(text));
  },
};

/** The earliest possible start of a local part that ends here. */
const localFrom = (text: string, at: number): number => {
  let start = at;
  while (start > 0 && at - start < MAX_LOCAL && isLocal(text.charAt(start - 1))) start -= 1;
  return start;
};

/** A local part has no dot at its ends. If it is too long, only its last characters count. */
const localStart = (text: string, at: number, earliest: number): number | null => {
  if (text.charAt(at - 1) === '"') return quoteStart(text, at, earliest);
  let start = Math.max(earliest, localFrom(text, at));
  // Bounded, because `charAt` beyond the end of a text returns '', which every string includes.
  while (start < at && ".'".includes(text.charAt(start))) start += 1;
  return start >= at || text.charAt(at - 1) === '.' ? null : start;
};

const isQuoted = (char: string): boolean => char !== '' && !`"\\\n\r${MASK}`.includes(char);

const quoteStart = (text: string, at: number, earliest: number): number | null => {
  if (text.charAt(at - 1) !== '"') return null;
  let start = at - 2;
  while (start >= earliest && at - start <= MAX_LOCAL + 1 && isQuoted(text.charAt(start))) start -= 1;
  return start >= earliest && start < at - 2 && text.charAt(start) === '"' ? start : null;
};

/** The start of a quoted local part that is still open, or that is closed at the end of the text. */
const quoteBegun = (text: string): number => {
  const end = text.length - Math.max(signBegun(text), 0);
  for (let at = text.length - 1; at >= Math.max(0, end - MAX_LOCAL - 2); at -= 1) {
    if (text.charAt(at) !== '"') {
      if (!isQuoted(text.charAt(at))) return text.length;
      continue;
    }
    // The quotation mark either opens, or closes what the previous one has opened.
    const before = quoteStart(text, at + 1, 0);
    return at + 1 >= end ? (before ?? at) : at;
  }
  return text.length;
};

interface Label {
  readonly name: string;
  readonly start: number;
}

const LINE_BREAK = /[ ]?\r?\n[ ]?/y;

/** The labels of a domain, and the end of the text that was read. */
const labelsFrom = (
  text: string,
  from: number,
): { readonly labels: readonly Label[]; readonly end: number } => {
  const labels: Label[] = [];
  LINE_BREAK.lastIndex = from;
  const domain = from + (LINE_BREAK.exec(text)?.[0].length ?? 0);
  for (let start = domain; ;) {
    let end = start;
    while (end - domain < MAX_DOMAIN && isLabel(text.charAt(end))) end += 1;
    const name = text.slice(start, end);
    if (name === '' || name.length > MAX_LABEL || name.startsWith('-')) return { labels, end };
    labels.push({ name: name.replace(/-+$/, ''), start });
    if (name.endsWith('-')) return { labels, end };
    DOT_HERE.lastIndex = end;
    // Without a dot no label follows.
    start = end + (DOT_HERE.exec(text)?.[0].length ?? 0);
  }
};

/**
 * The end of the text that determines the domain: at the end of the text, a sign or a line break may be incomplete.
 */
const domainReach = (text: string, from: number): number => {
  const { end } = labelsFrom(text, from);
  const rest = text.slice(end);
  const inProgress = signBegun(rest) === rest.length || /^ ?\r$/.test(rest);
  return inProgress ? text.length : end;
};

const domainEnd = (text: string, from: number): number | null => {
  const { labels } = labelsFrom(text, from);
  for (let n = labels.length - 1; n > 0; n -= 1) {
    const { name, start } = labels[n] as Label;
    // Hyphens and what follows may belong to the sentence: `jane@example.org--she …`.
    const top = [name, name.split('-', 1)[0]!].find(isTopLevel);
    if (top !== undefined) return start + top.length;
  }
  const [first] = labels;
  return first?.name.toLowerCase() === 'localhost' ? first.start + first.name.length : null;
};

const isTopLevel = (label: string): boolean =>
  label.length >= 2 && ![...label].every(isDigit) && (/^xn--/i.test(label) || /^[\p{L}\p{M}]+$/u.test(label));
