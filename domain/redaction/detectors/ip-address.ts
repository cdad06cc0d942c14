import { type Detector, isDigit, MASK, type Span, tailOf } from './detector.ts';

/** The longest writing: six groups of IPv6 and an IPv4 address, RFC 4291, section 2.2. */
const REACH = 46;
const RUN = /[0-9A-Fa-f.:]+/g;
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}$`);
const GROUP = /^[0-9A-Fa-f]{1,4}$/;
const isPart = (char: string): boolean => char !== '' && '0123456789abcdefABCDEF.:'.includes(char);

/**
 * Addresses of the Internet Protocol, version 4 (four decimal octets without leading zeros, with or without a port
 * behind) and 6 (RFC 4291). The run of figures, points and colons must be the address and no more: 1.2.3 and 1.2.3.4.5
 * are versions, 12:30:45 is a time, and six pairs of hexadecimal digits are the address of a network card.
 */
export const ipDetector: Detector = {
  find: (text, from) => {
    const found: Span[] = [];
    RUN.lastIndex = runStart(text, from);
    for (let run = RUN.exec(text); run !== null; run = RUN.exec(text)) {
      const span = addressIn(text, run.index, run.index + run[0].length);
      if (span !== null && span.start >= from) found.push(span);
    }
    return found;
  },
  settledUpTo: (text) => {
    const tail = tailOf(text, isPart, REACH);
    // What stands behind `::` tells whether it is a prefix.
    return text.endsWith('::/') ? text.length - 3 : tail;
  },
};

/** A run is judged whole, also when looking begins inside of it. */
const runStart = (text: string, from: number): number => {
  let start = from;
  while (start > 0 && from - start <= REACH && isPart(text.charAt(start - 1))) start -= 1;
  return start;
};

/** In front of a colon a name, as in `addr:`, may stand; in front of `::` and of figures not. */
const WORD = /[\p{L}\p{N}_]/u;

const addressIn = (text: string, runFrom: number, runTo: number): Span | null => {
  // A replacement took a part of the run.
  if (text.charAt(runFrom - 1) === MASK || text.charAt(runTo) === MASK) return null;
  let start = runFrom;
  let end = runTo;
  if (text.charAt(start) === ':' && text.charAt(start + 1) !== ':') start += 1;
  else if (WORD.test(text.charAt(start - 1))) return null;
  while (end > start && (text.charAt(end - 1) === '.' || isLastColon(text, start, end))) end -= 1;
  if (end === runTo && WORD.test(text.charAt(end))) return null;
  if (end - start < 2 || end - start > REACH) return null;
  const written = text.slice(start, end);
  const port = written.lastIndexOf(':');
  if (IPV4.test(written)) return { start, end };
  if (port > 0 && IPV4.test(written.slice(0, port)) && /^\d{1,5}$/.test(written.slice(port + 1))) {
    return { start, end: start + port };
  }
  return isIpv6(written) || (written === '::' && isUnspecified(text, start, end)) ? { start, end } : null;
};

/** `::` stands in programs too: it is an address in brackets, with the length of a prefix, and where a word says so. */
const isUnspecified = (text: string, start: number, end: number): boolean =>
  /\[$|(?<![\p{L}\p{N}_])(?:on|at|to|from|address|bind|binds|bound|host|listen|listens|ip|ipv6|is)[ =:"'`]{1,3}$/iu.test(
    text.slice(Math.max(0, start - 12), start),
  ) || /^\/\d/.test(text.slice(end, end + 2));

/** A colon that ends a clause, not one of `::`. */
const isLastColon = (text: string, start: number, end: number): boolean =>
  text.charAt(end - 1) === ':' && !(end - 2 >= start && text.charAt(end - 2) === ':');

const isIpv6 = (written: string): boolean => {
  const halves = written.split('::');
  if (halves.length > 2 || !written.includes(':')) return false;
  const counts = halves.map(groupsIn);
  if (counts.includes(null)) return false;
  const count = counts.reduce<number>((sum, n) => sum + (n ?? 0), 0);
  if (halves.length === 1) return count === 8;
  // `a::b` of a programming language has no figure.
  return count >= 1 && count <= 7 && [...written].some(isDigit);
};

/** Null: no groups of IPv6. An IPv4 address at the end stands for two. */
const groupsIn = (half: string): number | null => {
  if (half === '') return 0;
  const groups = half.split(':');
  const last = groups.at(-1) ?? '';
  const plain = IPV4.test(last) ? groups.slice(0, -1) : groups;
  return plain.every((group) => GROUP.test(group)) ? 2 * groups.length - plain.length : null;
};
