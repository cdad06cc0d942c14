import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const SLOW = new WeakSet<IncomingMessage>();

/** Takes a request out of the limit on the time that a request may take to arrive: whoever reads it watches it. */
export const mayTakeLong = (req: IncomingMessage): void => {
  SLOW.add(req);
};

/**
 * Gives up requests that have not wholly arrived after `ms`, as Node does after the time for the slowest of all: by
 * `clientError`, with the same code.
 */
export const watchArrivalTimes = (server: Server, ms: number): void => {
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    const giveUp = (): void => {
      if (req.complete || SLOW.has(req)) return;
      const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', late, req.socket);
    };
    const timer = setTimeout(giveUp, ms);
    const over = (): void => clearTimeout(timer);
    req.once('end', over);
    res.once('close', over);
  });
};
