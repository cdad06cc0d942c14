import { type Detector, isDigit, type Span, tailOf } from './detector.ts';

/** RFC 5321, section 4.5.3.1: octets of the local part, and of the domain (RFC 1035, section 2.3.4) with its labels. */
const MOST_LOCAL = 64;
const MOST_DOMAIN = 253;
const MOST_LABEL = 63;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const isLocal = (char: string): boolean =>
  LETTER_OR_DIGIT.test(char) || (char !== '' && "._%+-'&~".includes(char));
const isDomain = (char: string): boolean => LETTER_OR_DIGIT.test(char) || char === '.' || char === '-';

/**
 * E-mail addresses: `addr-spec` of RFC 5322 without quoted local parts, comments and address literals, and without the
 * characters that in practice delimit an address rather than belong to one (`=/?!#$*^{|}` and the backquote). Letters
 * of any script count (RFC 6531). The domain has at least two labels, and no number is the last.
 */
export const emailDetector: Detector = {
  find: (text, from) => {
    const found: Span[] = [];
    let least = from;
    for (let at = text.indexOf('@', from); at >= 0; at = text.indexOf('@', at + 1)) {
      const start = localStart(text, at, least);
      const end = domainEnd(text, at + 1);
      if (start === null || end === null) continue;
      found.push({ start, end });
      least = end;
    }
    return found;
  },
  settledUpTo: (text) => {
    const tail = tailOf(text, (char) => isLocal(char) || char === '@', MOST_LOCAL + MOST_DOMAIN + 2);
    // What cannot become an address begins nothing: without `@` so far, only a local part counts.
    return text.indexOf('@', tail) >= 0 ? tail : Math.max(tail, text.length - MOST_LOCAL);
  },
};

/** A local part has no dot at its ends. One that is too long counts from where it would not be. */
const localStart = (text: string, at: number, least: number): number | null => {
  let start = at;
  while (start > least && at - start < MOST_LOCAL && isLocal(text.charAt(start - 1))) start -= 1;
  while (start < at && ".'".includes(text.charAt(start))) start += 1;
  return start === at || text.charAt(at - 1) === '.' ? null : start;
};

const domainEnd = (text: string, from: number): number | null => {
  let end = from;
  while (end < text.length && end - from < MOST_DOMAIN && isDomain(text.charAt(end))) end += 1;
  while (end > from && '.-'.includes(text.charAt(end - 1))) end -= 1;
  const labels: string[] = [];
  for (const label of text.slice(from, end).split('.')) {
    if (label === '' || label.length > MOST_LABEL || label.startsWith('-')) break;
    const name = label.replace(/-+$/, '');
    labels.push(name);
    if (name !== label) break;
  }
  while (labels.length > 1) {
    const last = labels.pop() ?? '';
    // Hyphens and what follows them may belong to the sentence: `jane@example.org--she …`.
    const top = [last, last.split('-', 1)[0] ?? ''].find(isTopLevel);
    if (top === undefined) continue;
    labels.push(top);
    break;
  }
  return labels.length < 2 ? null : from + labels.join('.').length;
};

const isTopLevel = (label: string): boolean =>
  label.length >= 2 && ![...label].every(isDigit) && (/^xn--/i.test(label) || /^[\p{L}\p{M}]+$/u.test(label));
