import { wideEncoding } from '../../../application/ports/text-decoding.ts';

/**
 * Whether bytes are text: UTF-16 or UTF-32, or no control characters that text does not have (WHATWG MIME Sniffing,
 * section 7.2). What is said to be text may hold a few zeros, which are shown as characters that cannot be read (WHATWG
 * HTML, U+0000).
 */
export const isText = (bytes: Uint8Array, saidToBe: boolean): boolean => {
  if (wideEncoding(bytes)?.startsWith('utf-32') === true) return true;
  const sample = bytes.subarray(0, 1_445);
  // Half of a letter may look like a control character: the upper byte of Cyrillic is 4.
  if (hasUtf16Mark(sample)) return true;
  let zeros = 0;
  for (const byte of sample) {
    if (byte === 0) zeros += 1;
    else if (byte < 0x09 || byte === 0x0b || (byte > 0x0d && byte < 0x1b) || (byte > 0x1b && byte < 0x20)) {
      return false;
    }
  }
  if (saidToBe && zeros <= sample.length / MOST_ZEROS) return true;
  return zeros === 0 || looksLikeUtf16(sample, zeros);
};

/** One byte in so many. */
const MOST_ZEROS = 20;

const hasUtf16Mark = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const looksLikeUtf16 = (sample: Uint8Array, zeros: number): boolean => {
  const even = sample.filter((byte, index) => byte === 0 && index % 2 === 0).length;
  return zeros > sample.length / 5 && (even < zeros / 5 || even > (4 * zeros) / 5);
};

/** Text in which something stands that is a page, however its file is called. Comments may stand before it. */
export const isMarkupPage = (bytes: Buffer): boolean => {
  const start = bytes.toString('latin1', 0, 1_024).replaceAll('\0', '');
  let rest = /^[^<]{0,64}(?:<\?xml[^>]*>\s*)?(<.*)$/is.exec(start)?.[1] ?? '';
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', 4);
    if (end === -1) return false;
    rest = rest.slice(end + 3).trimStart();
  }
  return /^<(?:!doctype\s+html|html|head|body|table)[\s>]/i.test(rest);
};
