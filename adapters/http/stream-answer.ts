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
