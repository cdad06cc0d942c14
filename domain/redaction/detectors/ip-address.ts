import { type Detector, isDigit, MASK, type Span, tailOf } from './detector.ts';

/** Length of the longest form: six groups of IPv6 and an IPv4 address (RFC 4291, section 2.2). */
const MAX_EXTENT = 46;
const RUN = /[0-9A-Fa-f.:]+/g;
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}$`);
const GROUP = /^[0-9A-Fa-f]{1,4}$/;
const isPart = (char: string): boolean => char !== '' && '0123456789abcdefABCDEF.:'.includes(char);

/**
 * IP addresses of version 4 (four decimal octets without leading zeros, possibly followed by a port) and version 6
 * (RFC 4291). The whole run of digits, dots and colons must be the address: 1.2.3 and 1.2.3.4.5 are versions, 12:30:45
 * is a time, and six pairs of hexadecimal digits are a MAC address.
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
    const tail = tailOf(text, isPart, MAX_EXTENT);
    // The character after `::/` decides whether it is a prefix length.
    return text.endsWith('::/') ? text.length - 3 : tail;
  },
};

/** A run is judged as a whole, even if the search starts inside of it. */
const runStart = (text: string, from: number): number => {
  let start = from;
  while (start > 0 && from - start <= MAX_EXTENT && isPart(text.charAt(start - 1))) start -= 1;
  return start;
};

/** A name may precede a colon, as in `addr:`, but not `::` or digits. */
const WORD = /[\p{L}\p{N}_]/u;

const addressIn = (text: string, runFrom: number, runTo: number): Span | null => {
  // A replacement covers a part of the run.
  if (text.charAt(runFrom - 1) === MASK || text.charAt(runTo) === MASK) return null;
  let start = runFrom;
  let end = runTo;
  if (text.charAt(start) === ':' && text.charAt(start + 1) !== ':') start += 1;
  else if (WORD.test(text.charAt(start - 1))) return null;
  while (end > start && (text.charAt(end - 1) === '.' || isLastColon(text, start, end))) end -= 1;
  if (end === runTo && WORD.test(text.charAt(end))) return null;
  if (end - start < 2 || end - start > MAX_EXTENT) return null;
  const written = text.slice(start, end);
  const port = written.lastIndexOf(':');
  if (IPV4.test(written)) return { start, end };
  if (port > 0 && IPV4.test(written.slice(0, port)) && /^\d{1,5}$/.test(written.slice(port + 1))) {
    return { start, end: start + port };
  }
  return isIpv6(written) || (written === '::' && isUnspecified(text, start, end)) ? { start, end } : null;
};

/**
 * `::` also occurs in programs: it counts as an address in brackets, with a prefix length, and after certain words.
 */
const isUnspecified = (text: string, start: number, end: number): boolean =>
  /\[$|(?<![\p{L}\p{N}_])(?:on|at|to|from|address|bind|binds|bound|host|listen|listens|ip|ipv6|is)[ =:"'`]{1,3}$/iu.test(
    text.slice(Math.max(0, start - 12), start),
  ) || /^\/\d/.test(text.slice(end, end + 2));

/** A final colon that ends a clause and is not part of `::`. */
const isLastColon = (text: string, start: number, end: number): boolean =>
  text.charAt(end - 1) === ':' && !(end - 2 >= start && text.charAt(end - 2) === ':');

const isIpv6 = (written: string): boolean => {
  const halves = written.split('::');
  if (halves.length > 2 || !written.includes(':')) return false;
  const counts = halves.map(groupsIn);
  if (counts.includes(null)) return false;
  const count = counts.reduce<number>((sum, n) => sum + (n ?? 0), 0);
  if (halves.length === 1) return count === 8;
  // `a::b` in a programming language has no digit.
  return count >= 1 && count <= 7 && [...written].some(isDigit);
};

/** Number of IPv6 groups; null when they are invalid. An IPv4 address at the end counts as two. */
const groupsIn = (half: string): number | null => {
  if (half === '') return 0;
  const groups = half.split(':');
  const last = groups.at(-1) ?? '';
  const plain = IPV4.test(last) ? groups.slice(0, -1) : groups;
  return plain.every((group) => GROUP.test(group)) ? 2 * groups.length - plain.length : null;
};
