import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';

export interface MediaType {
  /** Lower case `type/subtype`, or `''` when the header names none. */
  readonly mediaType: string;
  /** As given, without quotes. */
  readonly charset: string | null;
}

/** Parses a Content-Type header (RFC 9110, section 8.3). If it is sent twice, the last one counts, as in browsers. */
export const parseContentType = (header: string | null): MediaType => {
  if (header === null) return { mediaType: '', charset: null };
  const last = header.split(',').at(-1) ?? '';
  const mediaType = /^\s*([^\s;/,]+\/[^\s;,]+)/.exec(last)?.[1]?.toLowerCase() ?? '';
  const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(last);
  return { mediaType, charset: charset?.[1] ?? charset?.[2] ?? null };
};

/** Whether the media type is HTML, from which links can be extracted. */
export const isHtml = (mediaType: string): boolean =>
  mediaType === 'text/html' || mediaType === 'application/xhtml+xml';

/**
 * A URL as a header has it. Servers send paths as they are, mostly in UTF-8: the bytes, of which a header has one a
 * character, are percent-encoded as they stand.
 */
export const urlInHeader = (text: string): string =>
  text.replaceAll(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);

/** The delay of a Retry-After header in milliseconds (RFC 9110, section 10.2.3); null when missing or unreadable. */
export const retryAfterMs = (header: string | null, nowMs: number): number | null => {
  if (header === null) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
};

const SNIFFED_BYTES = 512;
const MARKUP = /^(?:ï»¿)?\s*<(?:!doctype html|!--|html|head|body|title|meta|script|table|div|h1|p|a|br)\b/i;

/** Guesses the media type of a body from its beginning (a small part of WHATWG MIME Sniffing, section 7.1). */
export const sniffMediaType = (body: Uint8Array): string => {
  const start = body.subarray(0, SNIFFED_BYTES);
  const text = new TextDecoder('windows-1252').decode(start);
  if (MARKUP.test(text)) return 'text/html';
  if (text.startsWith('%PDF-')) return 'application/pdf';
  return start.some(isBinary) ? 'application/octet-stream' : 'text/plain';
};

const isBinary = (byte: number): boolean =>
  byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b;

/** The body does not match its Content-Encoding. */
export class ContentCodingBroken extends Error {
  override readonly name = 'ContentCodingBroken';
}
/** The body exceeds `maxBytes`, as received or after decoding. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  constructor(maxBytes: number) {
    super(`the body is larger than ${maxBytes} bytes`);
  }
}

type Decoder = (body: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const inflateZlib: Decoder = promisify(inflate);
const inflateBare: Decoder = promisify(inflateRaw);

/**
 * Some servers send a raw deflate stream (without the zlib header) as `deflate`; RFC 9110 section 8.4.1.2 asks clients
 * to accept it.
 */
const inflateEither: Decoder = (body, options) => {
  const [first = 0, second = 0] = body;
  const hasZlibHeader = (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
  return hasZlibHeader ? inflateZlib(body, options) : inflateBare(body, options);
};

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', inflateEither],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
]);

/** Value of the Accept-Encoding request header. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

const MAX_CODINGS = 2;

/**
 * Undoes the content codings of `body`, last one first (RFC 9110, section 8.4). Decoding stops at `maxBytes`, so that a
 * decompression bomb costs no more than an honest body of that size. Runs off the main thread.
 *
 * @throws BodyTooLarge
 * @throws ContentCodingBroken for damaged data, an unknown coding, or more than two codings
 */
export const decodeContent = async (body: Buffer, codings: string, maxBytes: number): Promise<Buffer> => {
  const names = codings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const applied = names.filter((name) => name !== '' && name !== 'identity');
  if (applied.length > MAX_CODINGS) throw new ContentCodingBroken(`${applied.length} content codings`);
  let decoded = body;
  for (const name of applied.toReversed()) {
    // A response without a body (to HEAD, or empty) may still name a coding.
    if (decoded.length === 0) return decoded;
    decoded = await decodeOne(decoded, name, maxBytes);
  }
  return decoded;
};

const decodeOne = async (body: Buffer, name: string, maxBytes: number): Promise<Buffer> => {
  const decoder = DECODERS.get(name);
  if (decoder === undefined) throw new ContentCodingBroken(`unknown content coding ${JSON.stringify(name)}`);
  try {
    return await decoder(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (isTooLarge(error)) throw new BodyTooLarge(maxBytes);
    throw new ContentCodingBroken(`broken ${name} data: ${String(error)}`, { cause: error });
  }
};

const isTooLarge = (error: unknown): boolean =>
  error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
