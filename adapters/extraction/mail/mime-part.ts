import { parametersOf, unquoted, withWords } from './mime-words.ts';

/** A mail, or a part of one (RFC 2045). */
export interface MimePart {
  /** The text of a header, '' where there is none. @param name in lower case */
  readonly header: (name: string) => string;
  /** In lower case: `text/plain`. */
  readonly type: string;
  readonly parameter: (name: string) => string | undefined;
  /** '' where it has none. */
  readonly fileName: string;
  readonly isAttachment: boolean;
  /** Decoded. */
  readonly content: Buffer;
  /** Of those that hold parts. */
  readonly parts: readonly MimePart[];
}

const MOST_PARTS = 200;
const DEEPEST = 10;
const MOST_HEADER_BYTES = 256 * 1_024;

/** Parts beyond a bound are left out, so that a mail takes time by its length. */
export const readMime = (bytes: Buffer, depth = 0): MimePart => {
  const { headers, body } = split(bytes);
  const header = (name: string): string => withWords(headers.get(name) ?? '');
  const type = (headers.get('content-type') ?? 'text/plain').split(';', 1)[0]!.trim().toLowerCase();
  const parameters = parametersOf(headers.get('content-type') ?? '');
  const disposition = headers.get('content-disposition') ?? '';
  const boundary = parameters.get('boundary') ?? '';
  const hasParts = type.startsWith('multipart/') && boundary !== '' && depth < DEEPEST;
  return {
    header,
    type,
    parameter: (name) => parameters.get(name),
    fileName: parametersOf(disposition).get('filename') ?? parameters.get('name') ?? '',
    isAttachment: /^\s*attachment\b/i.test(disposition),
    content: hasParts ? Buffer.alloc(0) : decoded(body, header('content-transfer-encoding')),
    parts: hasParts ? partsIn(body, boundary).map((part) => readMime(part, depth + 1)) : [],
  };
};

/** Headers by their names in lower case, the first of each, and what follows the empty line behind them. */
const split = (bytes: Buffer): { readonly headers: ReadonlyMap<string, string>; readonly body: Buffer } => {
  const headers = new Map<string, string>();
  const end = endOfHeaders(bytes);
  const text = bytes.toString('utf8', 0, Math.min(end, MOST_HEADER_BYTES)).replaceAll(/\r?\n[ \t]+/g, ' ');
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return { headers, body: bytes.subarray(end) };
};

/** Behind the first empty line; a part may begin with one. */
const endOfHeaders = (bytes: Buffer): number => {
  for (let at = 0; at < bytes.length;) {
    const next = bytes.indexOf(0x0a, at);
    if (next === -1) break;
    if (next === at || (next === at + 1 && bytes[at] === 0x0d)) return next + 1;
    at = next + 1;
  }
  return bytes.length;
};

const partsIn = (body: Buffer, boundary: string): readonly Buffer[] => {
  const delimiter = Buffer.from(`--${boundary}`, 'utf8');
  const parts: Buffer[] = [];
  let start = -1;
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + delimiter.length)) {
    if (at > 0 && body[at - 1] !== 0x0a) continue;
    if (start !== -1) parts.push(body.subarray(start, at));
    const after = at + delimiter.length;
    const line = body.indexOf(0x0a, after);
    start = line === -1 ? body.length : line + 1;
    if (body.toString('latin1', after, after + 2) === '--' || parts.length >= MOST_PARTS) return parts;
  }
  if (start !== -1) parts.push(body.subarray(start));
  return parts;
};

const decoded = (body: Buffer, encoding: string): Buffer => {
  if (/^base64$/i.test(encoding)) return Buffer.from(body.toString('latin1'), 'base64');
  return /^quoted-printable$/i.test(encoding) ? unquoted(body) : body;
};
