import { exemptFromArrivalLimit } from '../begin-request.ts';
import { HttpProblem } from '../problem.ts';
import type { Request, Response } from 'express';
import { Transform } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Limit of a whole body: 500 MB. */
const MAX_FORM_BYTES = 500 * 1024 * 1024;

/** An upload is aborted when fewer bytes arrive within this time: 256 a second. */
const SLOW_MS = 30_000;
const LEAST_BYTES = 256 * (SLOW_MS / 1_000);

/** Time for the response to reach a client that is still sending. */
const LINGER_MS = 5_000;

/** `noun`: what the client calls the body. */
const tooLarge = (noun: string): HttpProblem =>
  new HttpProblem('payload_too_large', `the ${noun} is larger than 500 MB (${MAX_FORM_BYTES} bytes)`);

/**
 * Checks the headers of a body that is read as a stream.
 *
 * @throws HttpProblem unsupported_media_type, payload_too_large
 */
export const mustBePlain = ({ headers }: Request, noun: string): void => {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity')
    throw new HttpProblem('unsupported_media_type', `send the ${noun} plain, without a Content-Encoding`);
  if (Number(headers['content-length'] ?? 0) > MAX_FORM_BYTES) throw tooLarge(noun);
};

/** A body that is piped to a parser. */
export interface FormBody {
  /** Fails for a body that is too large, that ends early, or that stalls too long. */
  readonly stream: Transform;
  /** Stops reading: the rest of the body is discarded for a while, so that the client sees the response. */
  readonly leave: () => void;
}

/** Options for reading a body. */
export interface BodyReading {
  /** What the client calls the body. Default: form. */
  readonly noun?: string;
  /** Called before each part is passed on; delays it until there is room. Default: there is always room. */
  readonly room?: (goOn: () => void) => void;
}

/** The request stays open when the body fails, because it is needed for the response. */
export const openFormBody = (
  req: Request,
  res: Response,
  { noun = 'form', room = (goOn) => goOn() }: BodyReading = {},
): FormBody => {
  exemptFromArrivalLimit(req);
  const stream = counted(noun, room);
  const gone = (): void => {
    if (!req.complete)
      stream.destroy(new HttpProblem('invalid_request', `the ${noun} ended before it was complete`));
  };
  req.once('error', gone);
  req.once('close', gone);
  // The client may have disconnected earlier; the event is not emitted again.
  if (req.destroyed) gone();
  req.pipe(stream);
  return {
    stream,
    leave: () => {
      req.unpipe(stream);
      req.resume();
      res.once('finish', () => {
        if (!req.complete) setTimeout(() => req.complete || req.socket.destroy(), LINGER_MS).unref();
      });
    },
  };
};

/** Bytes between two collections. */
const EVERY_BYTES = 16 * 1024 * 1024;

let collector: ((options: { readonly type: 'minor' }) => void) | null = null;

/** Takes a millisecond or two: it only looks at objects created since the last time. */
export const collectYoung = (): void => {
  collector ??= exposed();
  collector({ type: 'minor' });
};

/** V8 exposes the collector to contexts that are created while this flag is set. */
const exposed = (): NonNullable<typeof collector> => {
  setFlagsFromString('--expose-gc');
  const found = runInNewContext("typeof gc === 'function' ? gc : undefined") as typeof collector | undefined;
  setFlagsFromString('--no-expose-gc');
  return found ?? (() => undefined);
};

let sinceCollected = 0;

/**
 * Counts bytes that pass through, and collects young garbage after every 16 MB. Buffers are outside of the heap and use
 * little heap memory, so V8 does not collect until they are too many, and then marks the whole heap.
 */
const passed = (bytes: number): void => {
  sinceCollected += bytes;
  if (sinceCollected < EVERY_BYTES) return;
  sinceCollected = 0;
  collectYoung();
};

/** Passes data on when there is room. */
const counted = (noun: string, room: Required<BodyReading>['room']): Transform => {
  let bytes = 0;
  let sinceRefresh = 0;
  const counting = new Transform({
    transform: (chunk: Buffer, _, done) => {
      sinceRefresh += chunk.length;
      if (sinceRefresh >= LEAST_BYTES) {
        sinceRefresh = 0;
        timer.refresh();
      }
      bytes += chunk.length;
      passed(chunk.length);
      if (bytes > MAX_FORM_BYTES) done(tooLarge(noun));
      else room(() => done(null, chunk));
    },
    destroy: (error, done) => {
      clearTimeout(timer);
      done(error);
    },
  });
  const giveUp = (): void => {
    // While the body waits for the disk, the client is not late.
    if (counting.writableNeedDrain) timer.refresh();
    else
      counting.destroy(
        new HttpProblem(
          'invalid_request',
          `the ${noun} came too slowly: under ${LEAST_BYTES} bytes in ${SLOW_MS / 1_000} s`,
          {},
          408,
        ),
      );
  };
  // A body must not keep a process alive that is to end.
  const timer = setTimeout(giveUp, SLOW_MS).unref();
  return counting;
};
