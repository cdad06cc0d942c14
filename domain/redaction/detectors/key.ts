import { type Detector, MASK, type Span, tailOf } from './detector.ts';
import { PREFIXED, looksRandom } from './key-prefixes.ts';

/** Names of passwords, whose values may be short or words; and names of keys, tokens and secrets. */
const PASSWORD = 'pass(?:word|wd|phrase|wort|code)?|passwort|pwd|pw|kennwort|contraseña|mot de passe';
const SECRET =
  '(?:api|access|auth|secret|private|encryption|signing|account|client)?[_. -]?(?:key|token|secret)';
const VALUE = '[^\\s"\'`<>(){}\\[\\],;]{4,256}';
const ASSIGNED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:[\\p{L}\\p{N}]{1,20}[_.-]){0,3}(?:(${PASSWORD})|(${SECRET}))["']?[ \\t]{0,2}` +
    `(?:=>|:=|=|:|(?<=\\w)[ \\t](?:is|ist|lautet)(?=[ \\t]))[ \\t]{0,2}(["']?)(${VALUE})`,
  'giu',
);
const BEARER =
  /(?<![\p{L}\p{N}])(?:bearer|authorization:[ \t]{0,2}basic)[ \t]{1,2}([A-Za-z0-9._~+/-]{8,256}={0,2})/giu;
/** User and password before the host of a URL. */
const URL = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'<>]{0,64}:([^\s/@"'`<>(){}[\],;]{3,128})@/giu;
/** Maximum length before a value, with a reserve; and of a value with the following character. */
const MAX_BEFORE = 160;
const MAX_VALUE = 258;
const VALUE_CHAR = /[^\s"'`<>(){}[\],;]/;
const isValuePart = (char: string): boolean => VALUE_CHAR.test(char);

/** Values that start at or after `from` and that a name, a scheme or a URL marks as secret; in no order. */
const assignedSecrets = (text: string, from: number): readonly Span[] => [
  ...assigned(text, from),
  ...valuesOf(BEARER, text, from, (value) => /\d|[a-z][A-Z]/.test(value)),
  ...valuesOf(URL, text, from, isNoVariable),
];

const assigned = (text: string, from: number): readonly Span[] => {
  const found: Span[] = [];
  ASSIGNED.lastIndex = Math.max(0, from - MAX_BEFORE);
  for (let match = ASSIGNED.exec(text); match !== null; match = ASSIGNED.exec(text)) {
    const [whole, password, , quote, written = ''] = match;
    // Final punctuation does not belong to a value, except an exclamation mark after a value with digits.
    const value = written.replace(/\d/.test(written) ? /[.:?]+$/ : /[.:?!]+$/, '');
    const start = match.index + whole.length - written.length;
    ASSIGNED.lastIndex = start;
    if (start < from || isValuePart(text.charAt(start + written.length))) continue;
    if (isSecret(value, password !== undefined, quote !== ''))
      found.push({ start, end: start + value.length });
  }
  return found;
};

const valuesOf = (
  pattern: RegExp,
  text: string,
  from: number,
  passes: (value: string) => boolean,
): readonly Span[] => {
  const found: Span[] = [];
  pattern.lastIndex = Math.max(0, from - MAX_BEFORE);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [whole, value = ''] = match;
    const start = match.index + whole.lastIndexOf(value);
    if (start >= from && passes(value)) found.push({ start, end: start + value.length });
    pattern.lastIndex = start;
  }
  return found;
};

/** Excludes variables, placeholders and types. */
const isNoVariable = (value: string): boolean =>
  !/^[$%*.…]|\$\{|^(?:x{3,}|null|true|false|undefined|pass(?:word|wd)?|pwd|secret|required|string)$/i.test(
    value,
  );

const isSecret = (value: string, password: boolean, quoted: boolean): boolean => {
  if (value.length < 4 || !isNoVariable(value) || !/\p{L}/u.test(value))
    return password && /^\d{4,}$/.test(value);
  const marks = /\d/.test(value) || /[!@#$%^&*?~]/.test(value);
  if (password) return marks;
  // Names of tokens also occur in code: `token = tokens[2]`, `key: item.key2`.
  return value.length >= 8 && /\d/.test(value) && !/^[\w$]+\./.test(value) && (quoted || changes(value) >= 3);
};

/** Number of changes between digits and other characters. */
const changes = (value: string): number => (value.match(/\d(?=\D)|\D(?=\d)/g) ?? []).length;

/** A longer token is judged by this many characters at its beginning. */
const MAX_JUDGED_CHARACTERS = 512;
/** Maximum characters of one token or block that a stream holds back. */
export const MAX_KEY_LENGTH = 16_384;
const MIN_TOKEN_LENGTH = 20;

const TOKEN = /[A-Za-z0-9_+/=~.-]+/g;
const isToken = (char: string): boolean => /^[A-Za-z0-9_+/=~.-]$/.test(char);

const PEM_BEGIN = /-----BEGIN [A-Z0-9 ]{1,60}-----/g;
const PEM_LINE = 80;

/**
 * Credentials: tokens with a known prefix, strings of at least 20 characters that look random (see `looksRandom`),
 * values that a name marks as secret (see `assignedSecrets`), and PEM blocks (RFC 7468), both keys and certificates. A
 * block without an end reaches as far as its base64.
 */
export const keyDetector: Detector = {
  find: (text, from) => {
    const found: Span[] = [];
    const blocks = pemBlocks(text, from);
    let block = 0;
    TOKEN.lastIndex = from;
    for (let run = TOKEN.exec(text); run !== null; run = TOKEN.exec(text)) {
      while (block < blocks.length && (blocks[block] as Span).end <= run.index) block += 1;
      let end = run.index + run[0].length;
      const next = blocks[block];
      if (next !== undefined && next.start < end) {
        // The hyphens at the start of the block belong to the run.
        end = next.start;
        TOKEN.lastIndex = next.end;
      }
      if (isCutOff(text, run.index, end)) continue;
      found.push(...secretsIn(text.slice(run.index, end), run.index));
    }
    return mergeOverlapping([...blocks, ...found, ...assignedSecrets(text, from)]);
  },
  settledUpTo: (text) => {
    const begin = text.lastIndexOf('-----BEGIN ');
    const open = begin >= 0 && text.length - begin < MAX_KEY_LENGTH && !isClosed(text, begin);
    // Text directly before a block belongs to it, or is judged without it.
    return open ? Math.min(lastWord(text), lastWord(text.slice(0, begin))) : lastWord(text);
  },
};

/** The start of the token or value at the end of the text. */
const lastWord = (text: string): number =>
  Math.min(tailOf(text, isToken, MAX_KEY_LENGTH), tailOf(text, isValuePart, MAX_VALUE));

/** Merges overlapping spans. */
const mergeOverlapping = (spans: readonly Span[]): readonly Span[] => {
  const apart: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last === undefined || span.start >= last.end) apart.push(span);
    else apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return apart;
};

/** Whether the beginning of the token is missing, or a replacement covers a part of it. */
const isCutOff = (text: string, start: number, end: number): boolean =>
  isToken(text.charAt(start - 1)) || text.charAt(start - 1) === MASK || text.charAt(end) === MASK;

const pemBlocks = (text: string, from: number): readonly Span[] => {
  const blocks: Span[] = [];
  PEM_BEGIN.lastIndex = from;
  for (let head = PEM_BEGIN.exec(text); head !== null; head = PEM_BEGIN.exec(text)) {
    const end = pemEnd(text, head.index, head[0]);
    blocks.push({ start: head.index, end });
    PEM_BEGIN.lastIndex = end;
  }
  return blocks;
};

const BODY = /[A-Za-z0-9+/=\s:,-]/;

/** Reads only the characters of the block, so that many beginnings without an end are still linear in the text. */
const pemEnd = (text: string, start: number, head: string): number => {
  const tail = head.replace('BEGIN', 'END');
  const body = start + head.length;
  const limit = Math.min(text.length, start + MAX_KEY_LENGTH);
  for (let at = body; at < limit && BODY.test(text.charAt(at)); at += 1) {
    if (text.charAt(at) !== '-' || !text.startsWith('-----', at)) continue;
    return text.startsWith(tail, at) ? at + tail.length : endOfBase64(text, body, at);
  }
  return endOfBase64(text, body, limit);
};

const endOfBase64 = (text: string, body: number, limit: number): number => {
  let end = body;
  for (let at = body; at < limit; at += 1) {
    const char = text.charAt(at);
    if (/[A-Za-z0-9+/=]/.test(char)) end = at + 1;
    else if (!/[\r\n]/.test(char)) break;
  }
  return end;
};

/** Whether the block that starts here is complete: its end follows, or a character that no block contains. */
const isClosed = (text: string, begin: number): boolean => {
  PEM_BEGIN.lastIndex = begin;
  const head = PEM_BEGIN.exec(text);
  if (head?.index !== begin) return text.length - begin > PEM_LINE;
  for (let at = begin + head[0].length; at < text.length; at += 1) {
    if (!BODY.test(text.charAt(at))) return true;
    if (text.charAt(at) === '-' && text.startsWith('-----END ', at)) {
      return text.length >= at + head[0].length - 2;
    }
  }
  return false;
};

/** A token may follow a name, as in `token=…`, and end a sentence. */
const secretsIn = (run: string, offset: number): readonly Span[] => {
  const written = run.slice(0, run.length - (/[.=-]*$/.exec(run.slice(-8))?.[0].length ?? 0));
  const whole = /^={0,2}$/.test(run.slice(written.length)) ? run : written;
  const named = /^[A-Za-z_.-]{1,40}=(?=.)/.exec(whole)?.[0].length ?? 0;
  const token = whole.slice(named);
  const judged = token.slice(0, MAX_JUDGED_CHARACTERS);
  const known = PREFIXED.test(judged);
  if (!known && (token.length < MIN_TOKEN_LENGTH || !looksRandom(judged))) return [];
  return [{ start: offset + named, end: offset + whole.length }];
};
