import type { Request, Response } from 'express';

/** A response that is written piece by piece, no faster than the client reads it. */
export interface StreamAnswer {
  /** Aborts when the client has gone, the server drains or `stop` was called: sources end then. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
  /** Sends the headers, so that the client knows that it is connected. */
  readonly start: (mediaType: string) => void;
  /** Resolves when there is room for more; false: the stream is over, write no more. */
  readonly write: (text: string) => Promise<boolean>;
  /** Writes only if nothing waits to be read. */
  readonly writeIfIdle: (text: string) => void;
  /** Ends the body: whoever reads it sees that it is whole. */
  readonly end: () => void;
}

/** To HEAD it sends the headers and is over at once. */
export const prepareStream = (req: Request, res: Response, draining: AbortSignal): StreamAnswer => {
  const over = new AbortController();
  const stop = (): void => over.abort();
  res.once('close', stop);
  const signal = AbortSignal.any([over.signal, draining]);

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
      if (signal.aborted) return false;
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
