import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { drain } from './drain.ts';
import type { ProblemType } from './problem.ts';

export interface RunningServer {
  readonly url: string;
  /**
   * Takes no more connections, tells streams to end, lets requests in flight finish, and after `graceMs` cuts what is
   * left. `cut`: something was.
   */
  readonly stop: (graceMs: number) => Promise<'clean' | 'cut'>;
}

/** A slow sender may not hold a connection for ever: headers within 15 s, the whole request within 2 min. */
const TIMES = { headersTimeout: 15_000, requestTimeout: 120_000, keepAliveTimeout: 65_000 };

/**
 * Listens; port 0 is any that is free. `draining` is aborted when the server is told to stop.
 *
 * @throws the system's error when the address cannot be had
 */
export const startServer = async (
  listener: RequestListener,
  { host, port }: { readonly host: string; readonly port: number },
  draining: AbortController,
): Promise<RunningServer> => {
  const server = createServer(TIMES, listener).on('clientError', refuseUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    stop: (graceMs) => drain(server, draining, graceMs),
  };
};

/** What is no HTTP never becomes a request; the sender gets the envelope all the same. */
const refuseUnreadable = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, type, message] = REFUSALS[error.code ?? ''] ?? UNREADABLE;
  const body = JSON.stringify({ error: { message, type } });
  const head = [`HTTP/1.1 ${status}`, 'Content-Type: application/json; charset=utf-8', 'Connection: close'];
  socket.end(`${[...head, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`);
};

type Refusal = readonly [status: string, type: ProblemType, message: string];
const UNREADABLE: Refusal = ['400 Bad Request', 'invalid_request', 'this is not HTTP'];
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'payload_too_large',
    'the headers are larger than 16 KiB',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'invalid_request', 'the request took too long to arrive'],
};
