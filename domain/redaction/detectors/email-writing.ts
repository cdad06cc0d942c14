/**
 * How people and programs write the two signs of an address: `@`, `(at)`, `[at]`, and as a reference of HTML or
 * percent-encoded; `.`, `(dot)`, `[.]`. At most nine characters each.
 */
const OPEN = '[ \\u00a0]?[(\\[{<][ \\u00a0]?';
const CLOSE = '[ \\u00a0]?[)\\]}>][ \\u00a0]?';
const AT = `@|&#0?64;|&#x0?40;|&commat;|%40|${OPEN}(?:at|@|ät|arroba)${CLOSE}`;
const DOT = `\\.\\.?|&#0?46;|&#x0?2e;|&period;|${OPEN}(?:dot|punkt|punto|point|\\.)${CLOSE}`;

export const anyAt = (): RegExp => new RegExp(AT, 'giu');
export const DOT_HERE = new RegExp(DOT, 'iuy');
/** The longest of both, `&commat;` in brackets with spaces left out: ` ( arroba ) `. */
export const LONGEST_SIGN = 12;

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

/** How many characters at the end of a text may be the beginning of such a sign with more characters, or all of it. */
export const signBegun = (text: string): number => {
  for (let at = Math.max(0, text.length - LONGEST_SIGN); at < text.length; at += 1) {
    const begun = text
      .slice(at)
      .replaceAll(/[ \u00a0]/g, '')
      .replaceAll(/[[{<]/g, '(')
      .replaceAll(/[\]}>]/g, ')');
    if (WRITINGS.some((one) => one.startsWith(begun.toLowerCase()))) return text.length - at;
  }
  return 0;
};
