import type { ByteRange, OpenFile } from '../../application/ports/file-store.ts';
import type { RawFile } from '../../application/sources/documents/operations.ts';
import { HttpProblem } from './problem.ts';
import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';

/**
 * Sends a stored file, or the requested range of it (RFC 9110, sections 13 and 14). The content is untrusted: browsers
 * are told to save it, and to run nothing in it.
 *
 * @throws HttpProblem range_not_satisfiable, or what `file.open` throws; no header of the file is set then
 */
export const sendRawFile = async (req: Request, res: Response, file: RawFile): Promise<void> => {
  const tag = `"${file.sha256}"`;
  if (matchesTag(req.headers['if-none-match'], tag)) {
    setHeaders(res, { etag: tag, 'cache-control': CACHE });
    res.statusCode = 304;
    res.end();
    return;
  }
  const range = wantedRange(req, file, tag);
  const opened = req.method === 'HEAD' ? undefined : await file.open(range);
  describeFile(res, file, range);
  if (opened === undefined) res.end();
  else await sendBytes(res, opened);
};

/** A cached copy must be revalidated each time: the key may be revoked, or the source deleted. */
const CACHE = 'private, no-cache';

const describeFile = (res: Response, file: RawFile, range: Required<ByteRange> | undefined): void => {
  const { start, end } = range ?? { start: 0, end: file.bytes - 1 };
  res.statusCode = range === undefined ? 200 : 206;
  setHeaders(res, {
    etag: `"${file.sha256}"`,
    'cache-control': CACHE,
    'accept-ranges': 'bytes',
    'content-type': safeMediaType(file.mediaType),
    'content-length': String(end - start + 1),
    'content-disposition': attachment(file.name),
    'content-security-policy': "default-src 'none'; sandbox",
    ...(range !== undefined && { 'content-range': `bytes ${start}-${end}/${file.bytes}` }),
  });
};

const setHeaders = (res: Response, headers: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
};

const sendBytes = async (res: Response, { stream }: OpenFile): Promise<void> => {
  try {
    await pipeline(stream, res);
  } catch (error) {
    // A client that disconnects is not an error.
    if (!GONE.has(String((error as { code?: unknown }).code))) throw error;
  }
};

const GONE = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** `Range` applies only if the caller's copy has the same bytes (`If-Range`, section 13.1.5). */
const wantedRange = (req: Request, file: RawFile, tag: string): Required<ByteRange> | undefined => {
  const same = req.headers['if-range'] === undefined || req.headers['if-range'] === tag;
  const range = same ? rangeOf(req.headers.range, file.bytes) : 'whole';
  if (range === 'whole') return undefined;
  if (range !== 'unsatisfiable') return range;
  throw new HttpProblem('range_not_satisfiable', `the file has ${file.bytes} bytes`, {
    'content-range': `bytes */${file.bytes}`,
  });
};

const textHeader = (description: string) => ({ description, schema: { type: 'string' } });
const bytes = { '*/*': { schema: { type: 'string', format: 'binary' } } };
const whole = {
  etag: textHeader('SHA-256 of the bytes, in hex and quoted'),
  'content-disposition': textHeader('attachment'),
  'accept-ranges': textHeader('bytes'),
};

/** The OpenAPI description of the download of a stored file. */
export const RAW_RESPONSES = {
  200: { description: 'The stored bytes', headers: whole, content: bytes },
  206: {
    description: 'The range that was asked for',
    headers: { ...whole, 'content-range': textHeader('Which bytes of how many') },
    content: bytes,
  },
  304: { description: 'The copy that If-None-Match names is still right', headers: { etag: whole.etag } },
};
export const RAW_HEADERS = {
  range:
    'One range of bytes; several that the file has are answered with the whole file, none that it has with 416',
  'if-none-match': 'Tags of copies at hand',
  'if-range': 'Tag of the copy that the range is to complete',
};

/** RFC 8187, section 3.2.1: characters that need no encoding in an extended value. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Characters that are removed from file names: path separators, line breaks, and characters that control text display.
 * A right-to-left override makes `a<U+202E>gpj.exe` look like a picture (Unicode TR 36, section 2.10; RFC 6266, section
 * 4.3). The joiners (U+200C, U+200D) stay, because Persian, Indic scripts and emoji need them.
 */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu;

/** Maximum length of a name in UTF-16 units: file systems allow 255 bytes. */
const MAX_NAME_LENGTH = 150;
/** The file extension, by which programs recognise a file. */
const EXTENSION = /\.[^.\s]{1,20}$/u;

/** Shortens a name but keeps its extension. */
const shortened = (name: string): string => {
  if (name.length <= MAX_NAME_LENGTH) return name;
  const ending = EXTENSION.exec(name)?.[0] ?? '';
  return `${name.slice(0, MAX_NAME_LENGTH - ending.length)}${ending}`;
};

/**
 * A `Content-Disposition` that makes browsers save and never show (RFC 6266): the name in UTF-8, and an ASCII name for
 * clients that read no other.
 */
export const attachment = (name: string): string => {
  const clean = shortened(name.toWellFormed().replaceAll(UNSAFE, '_')).toWellFormed();
  const ascii = clean.replaceAll(/[^\x20-\x7e]|["%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encode(clean)}`;
};

const MEDIA_TYPE =
  /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,100}(?:; ?[a-z0-9-]{1,30}=[a-z0-9_.-]{1,60})*$/i;

/** A stored media type that is safe to send; anything odd becomes plain bytes. */
export const safeMediaType = (stored: string): string =>
  MEDIA_TYPE.test(stored) ? stored : 'application/octet-stream';

type Span = Required<ByteRange>;

/** Unit names are case-insensitive, and lists may contain empty elements (RFC 9110, section 5.6.1). */
const RANGES = /^bytes=(.*)$/i;
const RANGE = /^(\d*)-(\d*)$/;

/**
 * The range that a `Range` header requests (RFC 9110, section 14). `whole`: there is none, or a server may ignore it
 * (another unit, malformed, several satisfiable ranges). `unsatisfiable`: the file has none of the ranges, however
 * large the numbers are.
 */
export const rangeOf = (header: string | undefined, size: number): Span | 'whole' | 'unsatisfiable' => {
  const [, list] = RANGES.exec(header ?? '') ?? [];
  if (list === undefined) return 'whole';
  const parts = list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const spans = parts.map((part) => spanOf(part, size));
  if (spans.length === 0 || spans.includes('whole')) return 'whole';
  const [first, ...others] = spans.filter((span) => span !== 'unsatisfiable');
  if (first === undefined) return 'unsatisfiable';
  return others.length === 0 ? first : 'whole';
};

/** Numbers beyond 2^53 lose their last digits, which does not matter for any real file. */
const spanOf = (part: string, size: number): Span | 'whole' | 'unsatisfiable' => {
  const [, from = '', to = ''] = RANGE.exec(part) ?? [];
  if (from === '') {
    if (to === '') return 'whole';
    if (Number(to) === 0) return 'unsatisfiable';
    // A suffix range of an empty file is the whole file, and Content-Range cannot express that.
    return size === 0 ? 'whole' : { start: Math.max(0, size - Number(to)), end: size - 1 };
  }
  const start = Number(from);
  if (to !== '' && Number(to) < start) return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { start, end: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
};

/** Whether an `If-None-Match` contains the tag (RFC 9110, section 13.1.2: weak comparison). */
const matchesTag = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
};
