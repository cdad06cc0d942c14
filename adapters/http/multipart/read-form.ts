import type { UploadPart } from '../../../application/sources/uploads/upload-area.ts';
import { HttpProblem } from '../problem.ts';
import { mustBePlain, openFormBody } from './form-body.ts';
import busboy from 'busboy';
import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';

/** The parts of a form that are files. */
interface FormOf {
  readonly files: string;
  readonly most: number;
}
const FILES: FormOf = { files: 'files', most: 2_000 };
/** A list of times in one field is the longest. */
const MAX_FIELD_BYTES = 64 * 1024;

const MULTIPART = /^multipart\/form-data[ \t]*(?:;|$)/i;

/**
 * Streams the parts of a form. Memory only holds what the parser has just read, and the body continues only when a part
 * is read. The form is opened when the first part is requested, so that a refused request leaves nothing to close;
 * reading ends when the consumer stops.
 *
 * @throws HttpProblem unsupported_media_type, payload_too_large, invalid_request, immediately or between parts; the
 * body of a file also fails with them
 */
export const readForm = (req: Request, res: Response, of: FormOf = FILES): AsyncIterable<UploadPart> =>
  partsOf(req, res, openParser(req, of), of);

async function* partsOf(
  req: Request,
  res: Response,
  parser: busboy.Busboy,
  of: FormOf,
): AsyncGenerator<UploadPart> {
  const queue = createPartQueue<UploadPart>();
  // The body pauses while complete parts are queued: the parser itself does not pause for these.
  const { stream, leave } = openFormBody(req, res, { room: queue.room });
  listen(parser, queue, of);
  pipeline(stream, parser).then(queue.end, (error: unknown) => queue.fail(problemOf(error)));
  yield* untilLeft(queue.parts, () => {
    leave();
    parser.destroy(invalid('the form is not read any more'));
  });
}

/** Yields the parts and calls back when the consumer stops early. */
export async function* untilLeft(
  parts: AsyncIterable<UploadPart>,
  left: () => void,
): AsyncGenerator<UploadPart> {
  let whole = false;
  try {
    yield* parts;
    whole = true;
  } finally {
    if (!whole) left();
  }
}

const listen = (parser: busboy.Busboy, queue: PartQueue<UploadPart>, of: FormOf): void => {
  let files = 0;
  parser.on('file', (name, body, { filename, mimeType: mediaType }) => {
    // Without a listener, an error of a file that is not read would end the process.
    body.on('error', () => {});
    files += 1;
    if (files > of.most) parser.destroy(tooMany(of));
    else if (name !== of.files) parser.destroy(unknownFile(name, of));
    else queue.put({ kind: 'file', fileName: fileNameOf(filename), mediaType, body });
  });
  parser.on('field', (name, value, { valueTruncated, nameTruncated }) => {
    if (valueTruncated || nameTruncated)
      parser.destroy(invalid(`a field is longer than ${MAX_FIELD_BYTES} bytes`));
    else queue.put({ kind: 'field', name: name ?? '', value });
  });
  parser.on('fieldsLimit', () => parser.destroy(invalid('the form has too many fields')));
  parser.on('filesLimit', () => parser.destroy(tooMany(of)));
};

export const isForm = ({ headers }: Request): boolean => MULTIPART.test(headers['content-type'] ?? '');

const openParser = (req: Request, { most }: FormOf): busboy.Busboy => {
  const { headers } = req;
  if (!isForm(req)) throw new HttpProblem('unsupported_media_type', 'send the files as multipart/form-data');
  mustBePlain(req, 'form');
  const limits = {
    files: most + 1,
    fields: most + 10,
    fieldSize: MAX_FIELD_BYTES,
    fieldNameSize: 100,
  };
  try {
    return busboy({ headers, limits, defParamCharset: 'latin1', preservePath: true });
  } catch {
    throw invalid('the Content-Type of the form has no boundary');
  }
};

const invalid = (message: string): HttpProblem => new HttpProblem('invalid_request', message);
const tooMany = ({ most }: FormOf): HttpProblem =>
  new HttpProblem(
    'payload_too_large',
    `a form takes at most ${most} file${most === 1 ? '' : 's'}: send the others in another one`,
  );
const unknownFile = (name: string | undefined, { files }: FormOf): HttpProblem =>
  invalid(`${JSON.stringify((name ?? '').slice(0, 100))} is a file: files go into parts named ${files}`);

/** Maps an error of the parser to a problem. */
const problemOf = (error: unknown): unknown => {
  if (error instanceof HttpProblem) return error;
  const { message } = error as Error;
  return /^(?:Malformed|Unexpected end|Multipart)/.test(message)
    ? invalid(`the form is incomplete:  ${message}`)
    : error;
};

/**
 * The file name of a part as the client meant it. Clients send UTF-8 or Latin-1 as header bytes, which `busboy` decodes
 * as Latin-1; browsers escape quotes and line breaks as WHATWG HTML says (multipart/form-data, "escape a name"). A name
 * from `filename*` is already decoded; it is very unlikely that one is also valid UTF-8.
 */
const fileNameOf = (given: string | undefined): string => {
  const text = given ?? '';
  const decoded = isLatin1(text) ? utf8Of(text) : text;
  return decoded.replaceAll(/%(?:22|0d|0a)/gi, (escape) => decodeURIComponent(escape));
};

const isLatin1 = (text: string): boolean => [...text].every((character) => character <= '\u00ff');

const utf8Of = (text: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
};

/** A queue between one producer and one consumer. */
interface PartQueue<Part> {
  readonly put: (part: Part) => void;
  readonly end: () => void;
  /** Drops the queued parts. */
  readonly fail: (error: unknown) => void;
  /** Calls `goOn`, one at a time, as soon as only a few parts are queued: immediately, or when one is taken. */
  readonly room: (goOn: () => void) => void;
  readonly parts: AsyncIterable<Part>;
}

/** Queued small files are held in memory. */
const MAX_QUEUED = 4;

const createPartQueue = <Part>(): PartQueue<Part> => {
  let waiting: Part[] = [];
  let over = false;
  let failed: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  let makeRoom = (): void => {};
  async function* parts(): AsyncGenerator<Part> {
    for (;;) {
      if (failed !== undefined) throw failed.error;
      const next = waiting.shift();
      if (waiting.length <= MAX_QUEUED) {
        const goOn = makeRoom;
        makeRoom = () => {};
        goOn();
      }
      if (next !== undefined) yield next;
      else if (over) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return {
    put: (part) => {
      waiting.push(part);
      wake();
    },
    end: () => {
      over = true;
      wake();
    },
    fail: (error) => {
      waiting = [];
      failed ??= { error };
      wake();
    },
    room: (goOn) => {
      if (waiting.length <= MAX_QUEUED) goOn();
      else makeRoom = goOn;
    },
    parts: parts(),
  };
};
