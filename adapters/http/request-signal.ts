import type { Response } from 'express';

/** Aborts when the client has gone before it was answered: nobody waits for what has not begun yet. */
export const goneSignal = (res: Response): AbortSignal => {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  return gone.signal;
};
