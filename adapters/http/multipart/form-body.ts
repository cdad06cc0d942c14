import { mayTakeLong } from '../begin-request.ts';
import { HttpProblem } from '../problem.ts';
import type { Request, Response } from 'express';
import { Transform } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Of a whole body: 500 MB. */
const MAX_FORM_BYTES = 500 * 1024 * 1024;

/** Without a byte for so long, an upload is given up. */
const IDLE_TIMEOUT_MS = 30_000;

/** For the answer to reach a client that still sends. */
const LINGER_MS = 5_000;

/** `noun`: what the body is to whoever sends it. */
const tooLarge = (noun: string): HttpProblem =>
  new HttpProblem('payload_too_large', `the ${noun} is larger than 500 MB (${MAX_FORM_BYTES} bytes)`);

/** Of a whole body that is read as it comes. @throws HttpProblem unsupported_media_type, payload_too_large */
export const mustBePlain = ({ headers }: Request, noun: string): void => {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity')
    throw new HttpProblem('unsupported_media_type', `send the ${noun} plain, without a Content-Encoding`);
  if (Number(headers['content-length'] ?? 0) > MAX_FORM_BYTES) throw tooLarge(noun);
};

/** A body on its way to a parser. */
export interface FormBody {
  /** Fails for a body that is too large, that ends before it is whole, or of which nothing comes for too long. */
  readonly stream: Transform;
  /** Nobody reads it any more: what still comes goes past for a while, so that the client sees the answer. */
  readonly leave: () => void;
}

/** How a body is read. */
export interface BodyReading {
  /** What it is to whoever sends it. Default: form. */
  readonly noun?: string;
  /** Asked before each part is passed on. Default: there is always room. */
  readonly room?: (goOn: () => void) => void;
}

/** The request is left alone when the body fails: it is needed for the answer. */
export const openFormBody = (
  req: Request,
  res: Response,
  { noun = 'form', room = (goOn) => goOn() }: BodyReading = {},
): FormBody => {
  mayTakeLong(req);
  const stream = counted(noun, room);
  const gone = (): void => {
    if (!req.complete)
      stream.destroy(new HttpProblem('invalid_request', `the ${noun} ended before it was whole`));
  };
  req.once('error', gone);
  req.once('close', gone);
  // It may have gone before anybody looked: that is not said again.
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

/** How much may pass before its memory is taken back. */
const EVERY_BYTES = 16 * 1024 * 1024;

let collector: ((options: { readonly type: 'minor' }) => void) | null = null;

/** Takes a millisecond or two: it looks only at what was made since the last time. */
export const collectYoung = (): void => {
  collector ??= exposed();
  collector({ type: 'minor' });
};

/** The engine gives its collector to contexts that are made while this flag is set. */
const exposed = (): NonNullable<typeof collector> => {
  setFlagsFromString('--expose-gc');
  const found = runInNewContext("typeof gc === 'function' ? gc : undefined") as typeof collector | undefined;
  setFlagsFromString('--no-expose-gc');
  return found ?? (() => undefined);
};

let sinceCollected = 0;

/**
 * Told of bytes that pass through, it collects what died young after every 16 MB of them. Buffers lie outside of the heap:
 * little of the heap is used for them, so the engine does not collect by itself until they are too many, and then marks
 * the whole heap.
 */
const passed = (bytes: number): void => {
  sinceCollected += bytes;
  if (sinceCollected < EVERY_BYTES) return;
  sinceCollected = 0;
  collectYoung();
};

/** Passes on what comes, when there is room for it. */
const counted = (noun: string, room: Required<BodyReading>['room']): Transform => {
  let bytes = 0;
  const counting = new Transform({
    transform: (chunk: Buffer, _, done) => {
      timer.refresh();
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
    // While the disk is waited for, the client is not late.
    if (counting.writableNeedDrain) timer.refresh();
    else
      counting.destroy(
        new HttpProblem('invalid_request', `nothing of the ${noun} came for ${IDLE_TIMEOUT_MS / 1_000} s`),
      );
  };
  // No body keeps a process alive that is to end.
  const timer = setTimeout(giveUp, IDLE_TIMEOUT_MS).unref();
  return counting;
};
