import type { Server } from 'node:http';
import type { Arrivals } from './arrivals.ts';

/** How often connections are looked for that have become idle since. */
const LOOK_MS = 25;
/** What is on its way arrives within this time, or its sender has stopped. */
const ARRIVE_MS = 500;

/**
 * Takes no more connections, tells streams to end, and lets requests in flight finish; after `graceMs` it cuts what is
 * left. `cut`: something was. Requests that have not wholly arrived are cut after half a second already: their senders
 * may never go on.
 *
 * Node's own close waits for ever for a stream, and for the client to close a connection whose last answer promised to
 * keep it alive.
 */
export const drain = async (
  server: Server,
  draining: AbortController,
  graceMs: number,
  arrivals: Arrivals,
): Promise<'clean' | 'cut'> => {
  draining.abort(new Error('the server is stopping'));
  const closed = new Promise<'clean'>((resolve) => {
    server.close(() => resolve('clean'));
  });
  const look = setInterval(() => server.closeIdleConnections(), LOOK_MS);
  const arriving = setTimeout(arrivals.cutUnfinished, Math.min(ARRIVE_MS, graceMs));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'cut'>((resolve) => {
    timer = setTimeout(() => {
      server.closeAllConnections();
      resolve('cut');
    }, graceMs);
  });
  try {
    return await Promise.race([closed, late]);
  } finally {
    clearInterval(look);
    clearTimeout(arriving);
    clearTimeout(timer);
  }
};
