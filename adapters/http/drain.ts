import type { Server } from 'node:http';

/**
 * Takes no more connections, tells streams to end, and lets requests in flight finish; after `graceMs` it cuts what is
 * left. `cut`: something was. Node's own close would wait for a stream for ever.
 */
export const drain = async (
  server: Server,
  draining: AbortController,
  graceMs: number,
): Promise<'clean' | 'cut'> => {
  draining.abort(new Error('the server is stopping'));
  const closed = new Promise<'clean'>((resolve) => {
    server.close(() => resolve('clean'));
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'cut'>((resolve) => {
    timer = setTimeout(() => {
      server.closeAllConnections();
      resolve('cut');
    }, graceMs);
  });
  const how = await Promise.race([closed, late]);
  clearTimeout(timer);
  return how;
};
