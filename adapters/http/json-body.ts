import { HttpProblem } from './problem.ts';
import express from 'express';
import type { Request, Response } from 'express';
import { isUtf8 } from 'node:buffer';

const BODY_LIMIT_BYTES = 1024 * 1024;

const parse = express.json({
  limit: BODY_LIMIT_BYTES,
  strict: false,
  type: () => true,
  verify: (_req, _res, bytes) => {
    if (!isUtf8(bytes)) throw new HttpProblem('invalid_json', 'the body is not UTF-8');
  },
});

const hasBody = (req: Request): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

/** RFC 8259 and RFC 6838: `application/json`, with or without parameters. */
const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

/**
 * The JSON body, or undefined when none was sent.
 *
 * @throws HttpProblem unsupported_media_type, payload_too_large, invalid_json, invalid_request
 */
export const readJson = async (req: Request, res: Response): Promise<unknown> => {
  if (!hasBody(req)) return undefined;
  if (!JSON_TYPE.test(req.headers['content-type'] ?? '')) {
    throw new HttpProblem('unsupported_media_type', 'send the body as application/json');
  }
  mustBeReadable(req.headers);
  await new Promise<void>((resolve, reject) => {
    parse(req, res, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(problemOf(error, req.headers['content-encoding']));
    });
  });
  const body: unknown = req.body;
  checkTexts(body);
  return body;
};

/** The parser would accept more: `utf-16`, which is not validated, and zstd if the runtime supports it. */
const mustBeReadable = (headers: Request['headers']): void => {
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new HttpProblem('unsupported_media_type', 'send the body in UTF-8');
  }
  const coding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (coding !== 'identity' && !CODINGS.split(', ').includes(coding)) {
    const message = `this Content-Encoding is not supported: send the body plain, or as one of ${CODINGS}`;
    throw new HttpProblem('unsupported_media_type', message, ENCODED);
  }
};
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s";]+)/i;

/** Supported codings, decoded up to `BODY_LIMIT_BYTES`; sent with a refusal as in RFC 9110, section 15.5.16. */
const CODINGS = 'gzip, deflate, br';
const ENCODED = { 'accept-encoding': CODINGS };
/** Codes of node:zlib, of gzip and deflate, and of Brotli. */
const NOT_INFLATED = /^(?:Z_|ERR__ERROR_|ERR_BROTLI)/;

/** The errors of body-parser, by their documented `type`. */
const REFUSALS: Readonly<Record<string, () => HttpProblem>> = {
  'entity.too.large': () =>
    new HttpProblem('payload_too_large', `the body is larger than ${BODY_LIMIT_BYTES} bytes`, {
      connection: 'close',
    }),
  'request.aborted': () => new HttpProblem('invalid_request', 'the body ended before it was complete'),
  'request.size.invalid': () =>
    new HttpProblem('invalid_request', 'the body does not have the length in its Content-Length'),
};

const problemOf = (error: unknown, coding: string | undefined): unknown => {
  if (error instanceof HttpProblem) return error;
  const { type = '', status = 500, code = '' } = error as { type?: string; status?: number; code?: string };
  const known = REFUSALS[type]?.();
  if (known !== undefined) return known;
  if (NOT_INFLATED.test(code)) {
    const message = `the body is not what its Content-Encoding says: ${(coding ?? '').slice(0, 20)}`;
    return new HttpProblem('unsupported_media_type', message, ENCODED);
  }
  return status >= 400 && status < 500 ? new HttpProblem('invalid_json', 'the body is not JSON') : error;
};

/** Deeper than any meaningful body, and shallow enough for every recursive reader. */
const MAX_DEPTH = 32;

/**
 * Refuses what the stores cannot keep: NUL characters and lone surrogates, in values and in names, and nesting that
 * would exhaust the stack of a recursive reader.
 *
 * @throws HttpProblem invalid_request, naming the path
 */
const checkTexts = (value: unknown, place = 'body', depth = 0): void => {
  if (typeof value === 'string') return checkText(value, place);
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_DEPTH) {
    throw new HttpProblem('invalid_request', `the body is nested deeper than ${MAX_DEPTH} levels`);
  }
  if (Array.isArray(value)) {
    for (const item of value) checkTexts(item, place, depth + 1);
    return;
  }
  for (const name of Object.keys(value)) {
    checkText(name, place === 'body' ? 'a field name' : `a field name in ${place}`);
    checkTexts((value as Record<string, unknown>)[name], depth === 0 ? name : place, depth + 1);
  }
};

const checkText = (text: string, place: string): void => {
  if (text.includes('\0'))
    throw new HttpProblem('invalid_request', `${shown(place)} contains a NUL character`);
  if (!text.isWellFormed()) {
    throw new HttpProblem('invalid_request', `${shown(place)} contains half of a surrogate pair`);
  }
};

const shown = (place: string): string => place.toWellFormed().replaceAll('\0', '').slice(0, 100);
