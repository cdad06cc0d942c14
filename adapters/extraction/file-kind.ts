import type { ExtractableFileType, UnsupportedDocument } from '../../application/ports/document-reader.ts';
import { ExtractionFailure } from './extraction-failure.ts';

/** What a document is said to be, each claim in lower case or null. */
export interface FileClaims {
  /** Without parameters. Null also for types that say nothing, such as application/octet-stream. */
  readonly mediaType: string | null;
  /** Of the file name or of the path of the address, with its dot; '' where there is a name without one. */
  readonly extension: string | null;
}

type Kind = ExtractableFileType | UnsupportedDocument;

const BY_MEDIA_TYPE: Readonly<Record<string, ExtractableFileType>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/markdown': 'md',
  'text/x-markdown': 'md',
  'application/pdf': 'pdf',
  'application/x-pdf': 'pdf',
  'text/plain': 'txt',
};

const BY_EXTENSION: Readonly<Record<string, ExtractableFileType>> = {
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.md': 'md',
  '.markdown': 'md',
  '.pdf': 'pdf',
  '.txt': 'txt',
  '.text': 'txt',
  '.log': 'txt',
};

const SAYS_NOTHING = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/unknown']);

export const readClaims = (request: {
  readonly mediaType?: string;
  readonly fileName?: string;
  readonly url?: string;
}): FileClaims => {
  const mediaType = (request.mediaType ?? '').split(';')[0]!.trim().toLowerCase();
  const path = request.fileName ?? (request.url === undefined ? null : URL.parse(request.url)?.pathname);
  const name = path?.split('/').at(-1);
  return {
    mediaType: SAYS_NOTHING.has(mediaType) ? null : mediaType,
    extension: name === undefined || name === '' ? null : (/\.[^.\s]+$/.exec(name)?.[0] ?? '').toLowerCase(),
  };
};

/**
 * The type of a document: its bytes decide where they can, then the media type, then the extension, then a look at
 * the text. Servers send Markdown as plain text, so there the extension may say more.
 *
 * @param bytes the document or at least its first 4 KiB
 * @throws {ExtractionFailure} `parser_failed` for what is called a PDF and is none
 */
export const fileKind = async (bytes: Uint8Array, claims: FileClaims): Promise<Kind> => {
  if (isPdf(bytes)) return 'pdf';
  const claimed = claimedKind(claims);
  if (hasUtf32Mark(bytes)) return unsupported(claims.mediaType, 'the text is in UTF-32, which is not read');
  if (!isText(bytes, claimed !== null && claimed !== 'pdf')) {
    const { fileTypeFromBuffer } = await import('file-type');
    const found = await fileTypeFromBuffer(bytes);
    if (found !== undefined) return unsupported(found.mime, `the bytes are ${found.mime}`);
    if (claimed !== 'pdf') return unsupported(claims.mediaType, 'the bytes are of no known type');
  }
  if (claimed === 'pdf')
    throw new ExtractionFailure('parser_failed', 'it is called a PDF, but has no PDF header');
  return claimed ?? textKind(bytes, claims);
};

const claimedKind = ({ mediaType, extension }: FileClaims): ExtractableFileType | null => {
  const byExtension = extension === null ? null : (BY_EXTENSION[extension] ?? null);
  const byMediaType = mediaType === null ? null : (BY_MEDIA_TYPE[mediaType] ?? null);
  if (mediaType === null) return byExtension;
  return byMediaType === 'txt' && byExtension === 'md' ? 'md' : byMediaType;
};

const textKind = (bytes: Uint8Array, { mediaType, extension }: FileClaims): Kind => {
  if (mediaType !== null) return unsupported(mediaType, `the media type is ${mediaType}`);
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).toString('latin1');
  if (/^[^<]{0,64}<(?:!doctype\s+html|html|head|body)[\s>]/i.test(start)) return 'html';
  if (extension === null || extension === '') return 'txt';
  return unsupported(null, `the extension is ${extension}`);
};

const unsupported = (mediaType: string | null, message: string): UnsupportedDocument => ({
  kind: 'unsupported',
  mediaType,
  message,
});

/** Readers accept up to 1,024 bytes before the header (ISO 32000-1, annex H, implementation note 13). */
const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).includes('%PDF-', 0, 'latin1') &&
  !isMarkup(bytes);

/** A page may speak of `%PDF-`. */
const isMarkup = (bytes: Uint8Array): boolean => {
  const first = bytes.find((byte) => byte > 0x20 && byte < 0x80);
  return first === 0x3c;
};

/**
 * UTF-16, or no control characters that text does not have (WHATWG MIME Sniffing, section 7.2). What is said to be text
 * may hold a few zeros, which are shown as characters that cannot be read (WHATWG HTML, U+0000).
 */
const isText = (bytes: Uint8Array, saidToBe: boolean): boolean => {
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

/** The mark of UTF-32 in little endian begins like that of UTF-16. */
const hasUtf32Mark = ([first, second, third, fourth]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe && third === 0 && fourth === 0) ||
  (first === 0 && second === 0 && third === 0xfe && fourth === 0xff);

const hasUtf16Mark = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const looksLikeUtf16 = (sample: Uint8Array, zeros: number): boolean => {
  const even = sample.filter((byte, index) => byte === 0 && index % 2 === 0).length;
  return zeros > sample.length / 5 && (even < zeros / 5 || even > (4 * zeros) / 5);
};
