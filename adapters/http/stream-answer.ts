import type { ReadGate } from '../../application/ports/read-gate.ts';
import type { Scope } from '../../domain/api-key/decider.ts';
import { HttpProblem } from './problem.ts';
import type { StopSignals } from './stop-signals.ts';
import type { Request, Response } from 'express';

/** A response that is written piece by piece, no faster than the client reads it. */
export interface StreamAnswer {
  /**
   * Aborts when the client has gone (with {@link ClientGone}), the server wants it, or `stop` was called: sources end
   * then. Its reason is what went wrong, whatever error the source makes of it.
   */
  readonly signal: AbortSignal;
  /** Whether nobody reads any more what is written. */
  readonly gone: () => boolean;
  readonly stop: () => void;
  /** Sends the headers, so that the client knows that it is connected. */
  readonly start: (mediaType: string) => void;
  /** Resolves when there is room for more; false: the stream is to end. */
  readonly write: (text: string) => Promise<boolean>;
  /** Writes only if nothing waits to be read. */
  readonly writeIfIdle: (text: string) => void;
  /** Ends the body: whoever reads it sees that it is whole. */
  readonly end: () => void;
}

/** The client has closed the connection before its answer was whole: its wish, and no failure. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** @param ending when the server wants the stream to end. To HEAD it sends the headers and is over at once. */
export const prepareStream = (req: Request, res: Response, ending: AbortSignal): StreamAnswer => {
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
      // nginx would collect the pieces otherwise.
      res.setHeader('x-accel-buffering', 'no');
      res.flushHeaders();
      if (req.method !== 'HEAD') return;
      res.end();
      stop();
    },
    write: async (text) => {
      if (over.signal.aborted) return false;
      if (!res.write(text)) await room();
      return !signal.aborted;
    },
    writeIfIdle: (text) => {
      if (!signal.aborted && !res.writableNeedDrain) res.write(text);
    },
    end: () => {
      if (!res.writableEnded) res.end();
    },
  };
};

/**
 * What `work` answers; where it fails after the stream was to end, the reason of that.
 *
 * @throws what `work` throws, or the reason of `signal`
 */
export const orReason = async <T>({ signal }: StreamAnswer, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw reasonOr(signal, error);
  }
};

export const reasonOr = (signal: AbortSignal, error: unknown): unknown =>
  signal.aborted ? signal.reason : error;

/** One event of a stream (WHATWG HTML, section 9.2): `id` is what `Last-Event-ID` sends back. */
export interface ServerSentEvent {
  /** Absent: that of the event before goes on. */
  readonly id?: string;
  /** Absent: the client only learns the id, from which it goes on after a break. */
  readonly data?: unknown;
}

export const EVENT_STREAM = 'text/event-stream';
const KEEP_ALIVE_MS = 15_000;
/** What the client waits before it connects again. */
const RETRY_MS = 2_000;

interface KeepAlive {
  /** Asked at every keep-alive: a key that was revoked or has expired ends its streams. */
  readonly stillAllowed: () => Promise<boolean>;
  /** Milliseconds between keep-alive comments: 15 s where it is not given. */
  readonly everyMs?: number | undefined;
}

/**
 * Sends events as they come, until the client goes, the server drains or the source ends. When the source fails it
 * throws; the client resumes after the last id that it has seen.
 */
export const sendEvents = async (
  stream: StreamAnswer,
  source: AsyncIterable<ServerSentEvent>,
  { stillAllowed, everyMs = KEEP_ALIVE_MS }: KeepAlive,
): Promise<void> => {
  stream.start(EVENT_STREAM);
  const beat = setInterval(() => {
    stream.writeIfIdle(': keep-alive\n\n');
    stillAllowed().then(
      (allowed) => allowed || stream.stop(),
      () => undefined, // not known now: asked again at the next beat
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

/** JSON holds no line break, so one `data` line is enough. */
const frameOf = ({ id, data }: ServerSentEvent): string => {
  const named = id === undefined ? '' : `id: ${id}\n`;
  return data === undefined ? `${named}\n` : `${named}data: ${JSON.stringify(data)}\n\n`;
};

export const JSON_LINES = 'application/x-ndjson';

/**
 * Sends one JSON value per line. A body that ends well is whole: when the source fails this throws, and when the server
 * drains before the end, the connection is cut.
 */
export const sendJsonLines = async (
  res: Response,
  stream: StreamAnswer,
  source: AsyncIterable<unknown>,
): Promise<void> => {
  stream.start(JSON_LINES);
  try {
    for await (const value of source) if (!(await stream.write(`${JSON.stringify(value)}\n`))) break;
  } catch (error) {
    if (!stream.signal.aborted) throw error;
  }
  if (stream.signal.aborted && !res.writableEnded) res.destroy();
  else stream.end();
};

/** How many streams may be open at once. */
export interface StreamLimits {
  readonly perKey: number;
  /** Of all keys together, in this process. */
  readonly inAll: number;
}
const STREAM_LIMITS: StreamLimits = { perKey: 20, inAll: 500 };

const RETRY_S = 5;

/**
 * Takes a place for the stream that `res` is to become; it is free again when the response has closed, however that
 * came about.
 *
 * @throws HttpProblem rate_limited with Retry-After when the key, or the process, has no place left
 */
type TakeStreamSlot = (keyId: string, res: Response) => void;

/** What streams need beside their source. */
export interface StreamDeps {
  /** What a stream tells is held back until the views show it. */
  readonly gate: ReadGate;
  readonly stop: StopSignals;
  readonly keepAliveMs?: number | undefined;
  readonly takeSlot: TakeStreamSlot;
  /** Whether the key of a request that is still being answered would be let in now. */
  readonly stillAllowed: (req: Request, scope: Scope) => Promise<boolean>;
}

/** Streams hold a connection and a place in the event feed for as long as their client likes: so they are counted. */
export const createStreamSlots = ({ perKey, inAll }: StreamLimits = STREAM_LIMITS): TakeStreamSlot => {
  const open = new Map<string, number>();
  let total = 0;

  const change = (keyId: string, by: 1 | -1): void => {
    total += by;
    const left = (open.get(keyId) ?? 0) + by;
    if (left === 0) open.delete(keyId);
    else open.set(keyId, left);
  };

  return (keyId, res) => {
    if ((open.get(keyId) ?? 0) >= perKey) throw full(`this key has ${perKey} streams open: close one`);
    if (total >= inAll) throw full(`this service has ${inAll} streams open, which is all that it gives`);
    // A client that has gone already closes no second time.
    if (res.closed) return;
    change(keyId, 1);
    res.once('close', () => change(keyId, -1));
  };
};

const full = (message: string): HttpProblem =>
  new HttpProblem('rate_limited', message, { 'retry-after': String(RETRY_S) });
