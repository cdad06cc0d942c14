import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { ByteRange } from '../../application/ports/file-store.ts';
import type { RawFile } from '../../application/source/operations.ts';
import { attachment, safeMediaType } from './attachment.ts';
import { matchesTag, rangeOf } from './byte-range.ts';
import { HttpProblem } from './problem.ts';

/**
 * Sends a stored file, or the range of it that was asked for (RFC 9110, sections 13 and 14). It is somebody else's
 * content: browsers are told to save it, and to run nothing in it.
 *
 * @throws HttpProblem range_not_satisfiable; whatever `file.open` throws
 */
export const sendRawFile = async (req: Request, res: Response, file: RawFile): Promise<void> => {
  const tag = `"${file.sha256}"`;
  const headers: [string, string][] = [
    ['etag', tag],
    ['accept-ranges', 'bytes'],
    // A copy may be kept, but is asked about each time: the key may be revoked, the source deleted.
    ['cache-control', 'private, no-cache'],
    ['content-disposition', attachment(file.name)],
    ['content-security-policy', "default-src 'none'; sandbox"],
  ];
  for (const [name, value] of headers) res.setHeader(name, value);
  if (matchesTag(req.headers['if-none-match'], tag)) {
    res.statusCode = 304;
    res.end();
    return;
  }
  const range = wantedRange(req, file, tag);
  res.statusCode = range === undefined ? 200 : 206;
  res.setHeader('content-type', safeMediaType(file.media_type));
  res.setHeader('content-length', range === undefined ? file.bytes : range.end - range.start + 1);
  if (range !== undefined) res.setHeader('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`);
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  await sendBytes(res, file, range);
};

const sendBytes = async (res: Response, file: RawFile, range: ByteRange | undefined): Promise<void> => {
  const { stream } = await file.open(range).catch((error: unknown) => {
    // The refusal that follows has a length and a type of its own, and is no part of the file.
    for (const name of ['content-length', 'content-range', 'content-disposition', 'etag'])
      res.removeHeader(name);
    throw error;
  });
  try {
    await pipeline(stream, res);
  } catch (error) {
    // A client that went away is no failure of ours.
    if (!isPrematureClose(error)) throw error;
  }
};

const isPrematureClose = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

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
