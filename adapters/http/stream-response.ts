import type { ReadGate } from '../../application/ports/read-gate.ts';
import type { Scope } from '../../domain/api-key/decider.ts';
import { HttpProblem } from './problem.ts';
import type { StopSignals } from './stop-signals.ts';
import type { Request, Response } from 'express';

/** A response that is written in pieces, no faster than the client reads it. */
export interface StreamResponse {
  /**
   * Aborts when the client disconnects (with {@link ClientGone}), the server ends the stream, or `stop` was called:
   * sources then end. Its reason is the cause, whatever error the source makes of it.
   */
  readonly signal: AbortSignal;
  /** Whether the client has disconnected. */
  readonly gone: () => boolean;
  readonly stop: () => void;
  /** Sends the headers, so that the client knows that it is connected. */
  readonly start: (mediaType: string) => void;
  /** Resolves when there is room for more; false when the stream must end. */
  readonly write: (part: string | Uint8Array) => Promise<boolean>;
  /** Writes only if nothing is buffered. */
  readonly writeIfIdle: (text: string) => void;
  /** Ends the body normally: the client sees that it is complete. */
  readonly end: () => void;
  /** Closes the connection: the client sees that the body is not complete. */
  readonly cut: () => void;
}

/** The client closed the connection before the response was complete; this is not a failure. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** @param ending aborts when the server wants the stream to end. To HEAD, only the headers are sent. */
export const prepareStream = (req: Request, res: Response, ending: AbortSignal): StreamResponse => {
  const over = new AbortController();
  const stop = (): void => over.abort();
  res.once('close', () => over.abort(new ClientGone('the client has gone')));
  const signal = AbortSignal.any([over.signal, ending]);

  const room = (): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        res.off('drain', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      res.once('drain', done);
      signal.addEventListener('abort', done);
    });

  return {
    signal,
    gone: () => over.signal.aborted,
    stop,
    start: (mediaType) => {
      res.statusCode = 200;
      res.setHeader('content-type', mediaType);
      // nginx would otherwise buffer the stream.
      res.setHeader('x-accel-buffering', 'no');
      res.flushHeaders();
      if (req.method !== 'HEAD') return;
      res.end();
      stop();
    },
    write: async (part) => {
      if (over.signal.aborted) return false;
      if (!res.write(part)) await room();
      return !signal.aborted;
    },
    writeIfIdle: (text) => {
      if (!signal.aborted && !res.writableNeedDrain) res.write(text);
    },
    end: () => {
      if (!res.writableEnded) res.end();
    },
    cut: () => void res.destroy(),
  };
};

/**
 * Returns the result of `work`; if it fails after the stream was ended, throws the reason of that.
 *
 * @throws what `work` throws, or the reason of `signal`
 */
export const orReason = async <T>({ signal }: StreamResponse, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw reasonOr(signal, error);
  }
};

export const reasonOr = (signal: AbortSignal, error: unknown): unknown =>
  signal.aborted ? signal.reason : error;

/** One server-sent event (WHATWG HTML, section 9.2): clients return `id` as `Last-Event-ID`. */
export interface ServerSentEvent {
  /** Absent: the id of the previous event stays. */
  readonly id?: string;
  /** Absent: the client only learns the id, from which it resumes. */
  readonly data?: unknown;
}

export const EVENT_STREAM = 'text/event-stream';
const KEEP_ALIVE_MS = 15_000;
/** Delay before the client reconnects. */
const RETRY_MS = 2_000;

interface KeepAlive {
  /**
   * Checked at every keep-alive: streams of a key or a token that is refused by now are cut, so that a client comes again,
   * with a newer token or to be told why.
   */
  readonly stillAllowed: () => Promise<boolean>;
  /** Milliseconds between keep-alive comments. Default: 15 s. */
  readonly everyMs?: number | undefined;
}

/**
 * Sends events as they come, until the client disconnects, the server drains or the source ends. Throws when the source
 * fails; the client resumes after the last id that it has seen.
 */
export const sendEvents = async (
  stream: StreamResponse,
  source: AsyncIterable<ServerSentEvent>,
  { stillAllowed, everyMs = KEEP_ALIVE_MS }: KeepAlive,
): Promise<void> => {
  stream.start(EVENT_STREAM);
  const beat = setInterval(() => {
    stream.writeIfIdle(': keep-alive\n\n');
    stillAllowed().then(
      (allowed) => allowed || stream.cut(),
      () => undefined, // unknown now: checked again at the next keep-alive
    );
  }, everyMs);
  try {
    await stream.write(`retry: ${RETRY_MS}\n\n`);
    for await (const event of source) if (!(await stream.write(frameOf(event)))) break;
  } catch (error) {
    if (!stream.signal.aborted) throw error;
  } finally {
    clearInterval(beat);
  }
  stream.end();
};

/** JSON contains no line break, so one `data` line is enough. */
const frameOf = ({ id, data }: ServerSentEvent): string => {
  const named = id === undefined ? '' : `id: ${id}\n`;
  return data === undefined ? `${named}\n` : `${named}data: ${JSON.stringify(data)}\n\n`;
};

export const JSON_LINES = 'application/x-ndjson';

/** Sends one JSON value per line: see `sendParts`. */
export const sendJsonLines = (
  res: Response,
  stream: StreamResponse,
  source: AsyncIterable<unknown>,
): Promise<void> => sendParts(res, stream, JSON_LINES, linesOf(source));

async function* linesOf(source: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of source) yield `${JSON.stringify(value)}\n`;
}

/**
 * Sends a body in parts. One that ends normally is complete: when the source fails this throws, and when the server
 * drains before the end, the connection is cut.
 */
export const sendParts = async (
  res: Response,
  stream: StreamResponse,
  mediaType: string,
  source: AsyncIterable<string | Uint8Array>,
): Promise<void> => {
  stream.start(mediaType);
  try {
    for await (const part of source) if (part.length > 0 && !(await stream.write(part))) break;
  } catch (error) {
    if (!stream.signal.aborted) throw error;
  }
  if (stream.signal.aborted && !res.writableEnded) res.destroy();
  else stream.end();
};

/** Limits of concurrent streams. */
export interface StreamLimits {
  readonly perCaller: number;
  /** Limit of all keys together, in this process. */
  readonly inAll: number;
}
const STREAM_LIMITS: StreamLimits = { perCaller: 20, inAll: 500 };

const RETRY_S = 5;

/**
 * Takes a slot for what `res` waits for; the slot is released when the response closes for any reason.
 *
 * @throws HttpProblem rate_limited with Retry-After when the key, or the process, has no slot left
 */
type TakeStreamSlot = (callerId: string, res: Response) => void;

/** Dependencies of streams besides their source. */
export interface StreamDeps {
  /** Holds back what a stream says until the views show it. */
  readonly gate: ReadGate;
  readonly stop: StopSignals;
  readonly keepAliveMs?: number | undefined;
  readonly takeSlot: TakeStreamSlot;
  /** Whether the key of a request in progress would still be accepted. */
  readonly stillAllowed: (req: Request, scope: Scope) => Promise<boolean>;
}

/** Counts streams and other requests that wait for long, because each holds a connection and a cursor in the event feed for as long as its client wants. */
export const createStreamSlots = ({ perCaller, inAll }: StreamLimits = STREAM_LIMITS): TakeStreamSlot => {
  const open = new Map<string, number>();
  let total = 0;

  const change = (callerId: string, by: 1 | -1): void => {
    total += by;
    const left = (open.get(callerId) ?? 0) + by;
    if (left === 0) open.delete(callerId);
    else open.set(callerId, left);
  };

  return (callerId, res) => {
    if ((open.get(callerId) ?? 0) >= perCaller)
      throw full(`you have ${perCaller} streams or tests open: close one, or wait`);
    if (total >= inAll) throw full(`this service has ${inAll} streams open, which is its limit`);
    // A closed response emits no second close event.
    if (res.closed) return;
    change(callerId, 1);
    res.once('close', () => change(callerId, -1));
  };
};

const full = (message: string): HttpProblem =>
  new HttpProblem('rate_limited', message, { 'retry-after': String(RETRY_S) });
