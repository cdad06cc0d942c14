/** Encodings of two and four bytes a character, which are told by their marks and by their zeros. */
export type WideEncoding = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

const SAMPLE_BYTES = 512;

/** By a byte order mark, or without one by the zeros: in markup and western text most characters have some. */
export const wideEncoding = (bytes: Uint8Array): WideEncoding | null => ofMark(bytes) ?? ofZeros(bytes);

/** The mark of UTF-32 in little endian begins like that of UTF-16. */
const ofMark = ([first, second, third, fourth]: Uint8Array): WideEncoding | null => {
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? 'utf-32le' : 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0 && second === 0 && third === 0xfe && fourth === 0xff ? 'utf-32be' : null;
};

const ofZeros = (bytes: Uint8Array): WideEncoding | null => {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (sample.length < 4) return null;
  const zeros = [0, 0, 0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 4]! += 1;
  const [a, b, c, d] = zeros as [number, number, number, number];
  const quarter = sample.length / 4;
  // Planes above the seventeenth do not exist: one outer byte is always zero, and its neighbour hardly ever is not.
  if (Math.min(c, d) > 0.9 * quarter && a < 0.1 * quarter && isPlain(decodeUtf32(sample, true)))
    return 'utf-32le';
  if (Math.min(a, b) > 0.9 * quarter && d < 0.1 * quarter && isPlain(decodeUtf32(sample, false)))
    return 'utf-32be';
  const [even, odd] = [a + c, b + d];
  if (even + odd < sample.length / 5) return null;
  if (odd > 4 * even) return 'utf-16le';
  return even > 4 * odd ? 'utf-16be' : null;
};

/** No control characters that text does not have (it may have escapes): small numbers of four bytes look like UTF-32 too. */
const isPlain = (text: string): boolean => !CONTROL.test(text.replaceAll('\u001B', ''));
const CONTROL = /[[\p{Cc}--[\t\n\f\r\x7f-\x9f]]\uFFFD]/v;

/** Text in UTF-32, its mark left out; what is no character becomes U+FFFD. */
export const decodeUtf32 = (bytes: Uint8Array, littleEndian: boolean): string => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  let units: number[] = [];
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    const code = view.getUint32(at, littleEndian);
    if (at === 0 && code === 0xfeff) continue;
    units.push(code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? 0xfffd : code);
    if (units.length < 4_096) continue;
    parts.push(String.fromCodePoint(...units));
    units = [];
  }
  const rest = bytes.byteLength % 4 === 0 ? '' : '\uFFFD';
  return parts.join('') + String.fromCodePoint(...units) + rest;
};
