import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { ByteRange, OpenFile } from '../../application/ports/file-store.ts';
import type { RawFile } from '../../application/sources/documents/operations.ts';
import { attachment, safeMediaType } from './attachment.ts';
import { matchesTag, rangeOf } from './byte-range.ts';
import { HttpProblem } from './problem.ts';

/**
 * Sends a stored file, or the range of it that was asked for (RFC 9110, sections 13 and 14). It is somebody else's
 * content: browsers are told to save it, and to run nothing in it.
 *
 * @throws HttpProblem range_not_satisfiable; whatever `file.open` throws. No header of the file is set then.
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

/** A copy may be kept, but is asked about each time: the key may be revoked, the source deleted. */
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
    // A client that went away is no failure of ours.
    if (!GONE.has(String((error as { code?: unknown }).code))) throw error;
  }
};

const GONE = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** `Range` counts only while the caller's copy is of the same bytes (`If-Range`, section 13.1.5). */
const wantedRange = (req: Request, file: RawFile, tag: string): Required<ByteRange> | undefined => {
  const same = req.headers['if-range'] === undefined || req.headers['if-range'] === tag;
  const range = same ? rangeOf(req.headers.range, file.bytes) : 'whole';
  if (range === 'whole') return undefined;
  if (range !== 'unsatisfiable') return range;
  throw new HttpProblem('range_not_satisfiable', `the file has ${file.bytes} bytes`, {
    'content-range': `bytes */${file.bytes}`,
  });
};
