/** The tokens of a rich text file (Rich Text Format 1.9.1, "RTF syntax"). */
type RtfToken =
  | { readonly kind: 'open' | 'close' }
  | { readonly kind: 'word'; readonly name: string; readonly value: number | null }
  /** A character of the code page by its number, or a literal one. */
  | { readonly kind: 'byte'; readonly value: number }
  | { readonly kind: 'text'; readonly from: number; readonly to: number };

const [BACKSLASH, OPEN, CLOSE, QUOTE, MINUS] = [0x5c, 0x7b, 0x7d, 0x27, 0x2d];
const LONGEST_NAME = 32;
const SPECIAL = new Set([BACKSLASH, OPEN, CLOSE, 0x0a, 0x0d]);
const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Takes linear time. Skips the bytes of `\bin`. */
export const rtfTokens = function* (bytes: Buffer): Generator<RtfToken> {
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!;
    if (byte === OPEN || byte === CLOSE) {
      yield { kind: byte === OPEN ? 'open' : 'close' };
      at += 1;
    } else if (byte === BACKSLASH) {
      const { token, end } = control(bytes, at + 1);
      yield token;
      at = token.kind === 'word' && token.name === 'bin' ? end + Math.max(0, token.value ?? 0) : end;
    } else {
      const from = at;
      while (at < bytes.length && !SPECIAL.has(bytes[at]!)) at += 1;
      if (at > from) yield { kind: 'text', from, to: at };
      else at += 1;
    }
  }
};

const control = (bytes: Buffer, start: number): { readonly token: RtfToken; readonly end: number } => {
  const first = bytes[start];
  if (first === QUOTE) {
    const value = Number.parseInt(bytes.toString('latin1', start + 1, start + 3), 16);
    return { token: { kind: 'byte', value: value >= 0x20 ? value : 0x20 }, end: start + 3 };
  }
  if (!isLetter(first)) {
    const name = first === undefined ? '' : String.fromCharCode(first);
    return { token: { kind: 'word', name, value: null }, end: start + 1 };
  }
  let at = start;
  while (at - start < LONGEST_NAME && isLetter(bytes[at])) at += 1;
  const name = bytes.toString('latin1', start, at);
  const from = at;
  if (bytes[at] === MINUS && isDigit(bytes[at + 1])) at += 1;
  while (at - from < 11 && isDigit(bytes[at])) at += 1;
  const value = at === from ? null : Number(bytes.toString('latin1', from, at));
  if (bytes[at] === 0x20) at += 1;
  return { token: { kind: 'word', name, value }, end: at };
};
