import type { Span } from './detector.ts';

/** Names whose values are secrets, short and wordlike ones too; and names whose values may be. */
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
/** What may stand before a value, with some to spare; and a value with what follows it. */
const MOST_BEFORE = 160;
export const MOST_VALUE = 258;
const VALUE_CHAR = /[^\s"'`<>(){}[\],;]/;
export const isValuePart = (char: string): boolean => VALUE_CHAR.test(char);

/** Values that begin at or after `from` and that a name, a scheme or a URL says to be secret; in no order. */
export const assignedSecrets = (text: string, from: number): readonly Span[] => [
  ...assigned(text, from),
  ...valuesOf(BEARER, text, from, (value) => /\d|[a-z][A-Z]/.test(value)),
  ...valuesOf(URL, text, from, isNoVariable),
];

const assigned = (text: string, from: number): readonly Span[] => {
  const found: Span[] = [];
  ASSIGNED.lastIndex = Math.max(0, from - MOST_BEFORE);
  for (let match = ASSIGNED.exec(text); match !== null; match = ASSIGNED.exec(text)) {
    const [whole, password, , quote, written = ''] = match;
    // What ends a sentence ends no value, but for a sign in a value with figures.
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
  pattern.lastIndex = Math.max(0, from - MOST_BEFORE);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [whole, value = ''] = match;
    const start = match.index + whole.lastIndexOf(value);
    if (start >= from && passes(value)) found.push({ start, end: start + value.length });
    pattern.lastIndex = start;
  }
  return found;
};

/** Not a variable, a place holder or a type; a path or a call has signs that values have not. */
const isNoVariable = (value: string): boolean =>
  !/^[$%*.…]|\$\{|^(?:x{3,}|null|true|false|undefined|pass(?:word|wd)?|pwd|secret|required|string)$/i.test(
    value,
  );

const isSecret = (value: string, password: boolean, quoted: boolean): boolean => {
  if (value.length < 4 || !isNoVariable(value) || !/\p{L}/u.test(value))
    return password && /^\d{4,}$/.test(value);
  const marks = /\d/.test(value) || /[!@#$%^&*?~]/.test(value);
  if (password) return marks;
  // The name of a token is code as well: `token = tokens[2]`, `key: item.key2`.
  return value.length >= 8 && /\d/.test(value) && !/^[\w$]+\./.test(value) && (quoted || changes(value) >= 3);
};

/** How often letters and figures take turns. */
const changes = (value: string): number => (value.match(/\d(?=\D)|\D(?=\d)/g) ?? []).length;
