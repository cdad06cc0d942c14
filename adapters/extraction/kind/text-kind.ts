import { wideEncoding } from '../../../application/ports/text-decoding.ts';
import { languageOf } from '../code/languages.ts';
import { isMail } from '../mail/read-mail.ts';
import { isRichText } from '../rtf/read-rtf.ts';
import type { FileClaims, Format } from './formats.ts';

/** Formats whose bytes are text. */
export const TEXT_FORMATS = new Set<Format>([
  ...(['html', 'md', 'txt', 'jsonl', 'wiki_page'] as const),
  ...(['ipynb', 'eml', 'mbox', 'rtf'] as const),
]);
/** Nothing in their bytes tells them: a claim does. */
const CLAIMED = new Set<Format>(['html', 'md', 'txt', 'jsonl', 'wiki_page', 'ipynb']);

/**
 * The format of text, whatever its extension; or the media type of text that only programs read.
 *
 * @param claimed a format of texts that is claimed
 */
export const textFormat = (
  bytes: Buffer,
  claimed: Format | null,
  { extension }: FileClaims,
): Format | { readonly mediaType: string } => {
  if (isRichText(bytes)) return 'rtf';
  if (claimed !== null && CLAIMED.has(claimed)) return claimed;
  if (claimed === null && extension !== null && languageOf(extension) !== null) return 'txt';
  if (isMail(bytes, claimed === 'eml' || claimed === 'mbox'))
    return claimed !== 'eml' && isMailbox(bytes) ? 'mbox' : 'eml';
  const start = bytes.toString('latin1', 0, 4_096).replaceAll('\0', '');
  if (start.startsWith('%!PS')) return { mediaType: 'application/postscript' };
  const root = rootOf(start);
  if (/^<(?:!doctype\s+|(?:\w+:)?)svg[\s>]/i.test(root)) return { mediaType: 'image/svg+xml' };
  const flat = root.startsWith('<office:document') ? FLAT.exec(root)?.[1] : undefined;
  if (flat !== undefined) return FLAT_FORMATS[flat]!;
  return /^<(?:!doctype\s+html|html|head|body|table)[\s>]/i.test(root) ? 'html' : 'txt';
};

/** OpenDocument in one XML file (OpenDocument 1.3, part 3, 3.1.2). */
const FLAT = /office:mimetype="application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/;
const FLAT_FORMATS: Readonly<Record<string, Format>> = {
  text: 'odt',
  spreadsheet: 'ods',
  presentation: 'odp',
};

const isMailbox = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 5) === 'From ';

/** Text of markup from its first tag on, behind a byte order mark and comments; '' for other text. */
const rootOf = (start: string): string => {
  let rest = /^[^!-~]{0,64}(?:<\?xml[^>]*>\s*)?(<.*)$/is.exec(start)?.[1] ?? '';
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', 4);
    if (end === -1) return '';
    rest = rest.slice(end + 3).trimStart();
  }
  return rest;
};

/** How much of it is looked at, and in which pieces. */
const [PIECES, PIECE_BYTES] = [256, 4_096];
/** One control character in this many may stand in a text, such as a bell in a log. */
const MAX_CONTROLS = 100;

/** Whether a file whose name and type say nothing is text all through: other files may begin with some. */
export const hasTextOnly = (bytes: Uint8Array): boolean => {
  if (wideEncoding(bytes) !== null) return true;
  const step = Math.max(PIECE_BYTES, Math.floor(bytes.length / PIECES));
  for (let at = 0; at < bytes.length; at += step) {
    const piece = bytes.subarray(at, at + PIECE_BYTES);
    let controls = 0;
    for (const byte of piece) if (isControl(byte) || byte === 0) controls += 1;
    if (controls > 1 + piece.length / MAX_CONTROLS) return false;
  }
  return true;
};

/** A control character that text does not contain (WHATWG MIME Sniffing, section 7.2). */
const isControl = (byte: number): boolean =>
  byte !== 0 &&
  (byte < 0x09 || byte === 0x0b || (byte > 0x0d && byte < 0x1b) || (byte > 0x1b && byte < 0x20));

/**
 * Whether bytes are text: UTF-16, or without control characters that text does not contain (WHATWG MIME
 * Sniffing, section 7.2). Claimed text may contain a few zeros, which are shown as replacement characters (WHATWG HTML,
 * U+0000).
 */
export const isText = (bytes: Uint8Array, saidToBe: boolean): boolean => {
  const sample = bytes.subarray(0, 1_445);
  // A byte of a UTF-16 character may look like a control character: the high byte of Cyrillic is 4.
  if (hasUtf16Mark(sample)) return true;
  let zeros = 0;
  for (const byte of sample) {
    if (byte === 0) zeros += 1;
    else if (isControl(byte)) return false;
  }
  if (saidToBe && zeros <= sample.length / MAX_ZEROS) return true;
  return zeros === 0 || looksLikeUtf16(sample, zeros);
};

/** At most one byte in this many. */
const MAX_ZEROS = 20;

const hasUtf16Mark = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const looksLikeUtf16 = (sample: Uint8Array, zeros: number): boolean => {
  const even = sample.filter((byte, index) => byte === 0 && index % 2 === 0).length;
  return zeros > sample.length / 5 && (even < zeros / 5 || even > (4 * zeros) / 5);
};
