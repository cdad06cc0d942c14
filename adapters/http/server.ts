import { watchArrivalTimes } from './begin-request.ts';
import type { ProblemType } from './problem.ts';
import { shutDownGracefully, trackConnections } from './shutdown.ts';
import { type StopSteps } from './stop-signals.ts';
import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface RunningServer {
  readonly url: string;
  /**
   * Withdraws readiness immediately and serves on until `until` resolves. Then takes no more connections, tells streams
   * to end, lets requests in flight finish, and after `graceMs` refuses or cuts the rest. A request that has not
   * arrived completely gets less time. `cut`: some requests were refused or cut.
   */
  readonly stop: (graceMs: number, until?: Promise<unknown>) => Promise<'clean' | 'cut'>;
}

/** Time limits of a sender, in milliseconds. Responses have no limit. */
export interface ArrivalLimits {
  /** Until the headers have arrived, from the first byte or the opening of the connection. */
  readonly headersMs: number;
  /** Until the whole request has arrived. The largest body is 1 MiB, except for an upload. */
  readonly requestMs: number;
  /** The limit of uploads, which also must never stall. */
  readonly uploadMs: number;
  /** Interval of the check: a limit may be exceeded by this much. */
  readonly pollMs: number;
}
const ARRIVAL_LIMITS: ArrivalLimits = {
  headersMs: 15_000,
  requestMs: 30_000,
  uploadMs: 3_600_000,
  pollMs: 2_000,
};
const KEEP_ALIVE_MS = 65_000;
/** Time for a refusal to reach a sender that does not close its side. */
const LINGER_MS = 1_000;

/**
 * Listens; port 0 is any free port. `steps` abort when the server is told to stop.
 *
 * @throws the system's error when the address is unavailable
 */
export const startServer = async (
  listener: RequestListener,
  { host, port }: { readonly host: string; readonly port: number },
  steps: StopSteps,
  { headersMs, requestMs, uploadMs, pollMs }: ArrivalLimits = ARRIVAL_LIMITS,
): Promise<RunningServer> => {
  const times = {
    headersTimeout: headersMs,
    requestTimeout: uploadMs,
    connectionsCheckingInterval: pollMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false,
  };
  const server = createServer(times, withHost(listener))
    .on('clientError', refuseUnreadable)
    .on('checkExpectation', refuseExpectation);
  const arrivals = trackConnections(server);
  watchArrivalTimes(server, requestMs);
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
    stop: (graceMs, until = Promise.resolve()) =>
      shutDownGracefully({ server, steps, connections: arrivals }, graceMs, until),
  };
};

/** Input that is not HTTP never becomes a request; the sender still gets the error envelope. */
const refuseUnreadable = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, type, message] = REFUSALS[error.code ?? ''] ?? UNREADABLE;
  const body = JSON.stringify({ error: { message, type } });
  const head = [`HTTP/1.1 ${status}`, 'Content-Type: application/json; charset=utf-8', 'Connection: close'];
  socket.end(`${[...head, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`);
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(lingering));
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

/**
 * Refuses an HTTP/1.1 request without `Host` (RFC 9112, section 3.2) with the error envelope, where Node would send an
 * empty response. The server must be created with `requireHostHeader: false`.
 */
const withHost =
  (listener: RequestListener): RequestListener =>
  (req, res) => {
    if (req.headers.host !== undefined || req.httpVersion === '1.0') listener(req, res);
    else refuse(res, 400, 'send the header Host: HTTP/1.1 requires it');
  };

/** Handles `checkExpectation`; Node itself handles `100-continue`, so that never arrives here. */
const refuseExpectation = (_req: IncomingMessage, res: ServerResponse): void =>
  refuse(res, 417, 'Expect may be 100-continue and nothing else: leave it out');

const refuse = (res: ServerResponse, status: number, message: string): void => {
  const body = JSON.stringify({ error: { message, type: 'invalid_request' } });
  const headers = { 'content-type': 'application/json; charset=utf-8', connection: 'close' };
  res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
};
