/** Detects the character encoding of a sample of bytes that is not UTF-8; null if it cannot. */
export type DetectCharset = (sample: Uint8Array) => string | null;

interface DecodingHints {
  /** The `charset` parameter of the Content-Type header. */
  readonly contentTypeCharset?: string | null;
  /** Whether to search for `<meta charset>` and for the encoding in an XML declaration. */
  readonly html: boolean;
}

interface DecodedText {
  readonly text: string;
  /** WHATWG name in lower case, for example `windows-1252`. */
  readonly encoding: string;
}

const PRESCAN_BYTES = 4_096;
/**
 * Used for bytes that are not UTF-8: scripts may precede the declaration, and only the declaration distinguishes one
 * single-byte encoding from another.
 */
const LONG_PRESCAN_BYTES = 65_536;
const SAMPLE_BYTES = 32 * 1024;
const JUDGED_CHARACTERS = 1_000_000;

/**
 * Decodes text whose encoding may be declared wrongly or not at all. Never throws: malformed bytes and U+0000 become
 * U+FFFD.
 *
 * In order (after WHATWG HTML, "determining the character encoding", and BOM sniffing of WHATWG Encoding): byte order
 * mark, UTF-16 by its zero bytes, Content-Type, meta element, well-formed UTF-8, `detect`, UTF-8. A
 * declaration is ignored if its label is unknown, if the bytes are mostly malformed in that encoding, or if it names a
 * single-byte encoding (in which nothing is malformed) and the bytes are well-formed UTF-8 beyond ASCII.
 */
export const decodeText = (bytes: Uint8Array, hints: DecodingHints, detect: DetectCharset): DecodedText => {
  const wide = wideEncoding(bytes);
  if (wide !== null) return { text: decode(bytes, wide), encoding: wide };
  if (hasUtf8Mark(bytes)) return { text: decode(bytes, 'utf-8'), encoding: 'utf-8' };
  const utf8 = decodeStrictly(bytes, 'utf-8');
  const declared = [
    hints.contentTypeCharset ?? null,
    hints.html ? labelInMarkup(bytes, utf8 === null ? LONG_PRESCAN_BYTES : PRESCAN_BYTES) : null,
  ];
  for (const label of declared) {
    const found = label === null ? null : decodeAs(bytes, label, utf8);
    if (found !== null) return found;
  }
  if (utf8 !== null) return { text: utf8, encoding: 'utf-8' };
  const detected = detect(sampleOf(bytes));
  const guess = detected === null ? null : decodeAs(bytes, detected, null);
  return guess ?? { text: decode(bytes, 'utf-8'), encoding: 'utf-8' };
};

/** `bytes` decoded with the encoding named by `label`; null if the label is unknown or evidently wrong. */
const decodeAs = (bytes: Uint8Array, label: string, utf8: string | null) => {
  const encoding = encodingOf(label);
  if (encoding === null) return null;
  if (encoding === 'utf-8' && utf8 !== null) return { text: utf8, encoding };
  if (isSingleByte(encoding) && utf8 !== null && utf8.length < bytes.length) return null;
  const text = decode(bytes, encoding);
  return mostlyMalformed(text) ? null : { text, encoding };
};

const encodingOf = (label: string): string | null => {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return null; // RangeError: a label outside the WHATWG table
  }
};

const isSingleByte = (encoding: string): boolean =>
  /^(?:windows-|iso-8859|macintosh|ibm866|koi8|x-mac)/.test(encoding);

/** Replaces U+0000 like malformed bytes: it is no text, and databases refuse it. */
const decode = (bytes: Uint8Array, encoding: string): string =>
  withoutZeros(new TextDecoder(encoding).decode(bytes));

const withoutZeros = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text);

const decodeStrictly = (bytes: Uint8Array, encoding: string): string | null => {
  try {
    return withoutZeros(new TextDecoder(encoding, { fatal: true }).decode(bytes));
  } catch {
    return null; // TypeError: malformed
  }
};

/**
 * Tolerates truncated or slightly damaged text: true only if there are more replacements than characters beyond ASCII.
 */
const mostlyMalformed = (text: string): boolean => {
  let replaced = 0;
  let beyondAscii = 0;
  const end = Math.min(text.length, JUDGED_CHARACTERS);
  for (let index = 0; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0xfffd) replaced += 1;
    else if (code > 0x7f) beyondAscii += 1;
  }
  return replaced > beyondAscii;
};

const hasUtf8Mark = ([first, second, third]: Uint8Array): boolean =>
  first === 0xef && second === 0xbb && third === 0xbf;

/**
 * The encoding label that the markup declares within the first `within` bytes. Browsers honour a late meta element too.
 */
const labelInMarkup = (bytes: Uint8Array, within: number): string | null => {
  const head = decode(bytes.subarray(0, within), 'windows-1252').replace(/<!--.*?(?:-->|$)/gs, '');
  for (const [meta] of head.matchAll(/<meta\b[^>]*>/gi)) {
    const label = /\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(meta)?.[1];
    if (label !== undefined) return wideAsUtf8(label);
  }
  const declared = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)/i.exec(head)?.[1];
  return declared === undefined ? null : wideAsUtf8(declared);
};

/** A declaration that is readable as ASCII cannot be in UTF-16 (WHATWG HTML: treat it as UTF-8). */
const wideAsUtf8 = (label: string): string =>
  encodingOf(label)?.startsWith('utf-16') === true ? 'utf-8' : label;

/** Starts just before the first byte beyond ASCII: plain ASCII says nothing about the encoding. */
const sampleOf = (bytes: Uint8Array): Uint8Array => {
  const start = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - 16);
  return bytes.subarray(start, start + SAMPLE_BYTES);
};

const WIDE_SAMPLE_BYTES = 512;

/** UTF-16 by its byte order mark, else by zero bytes: in markup and western text, most characters have one. */
export const wideEncoding = (bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, WIDE_SAMPLE_BYTES);
  if (sample.length < 4) return null;
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]! += 1;
  const [even, odd] = zeros as [number, number];
  if (even + odd < sample.length / 5) return null;
  if (odd > 4 * even) return 'utf-16le';
  return even > 4 * odd ? 'utf-16be' : null;
};
