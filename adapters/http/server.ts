import { watchArrivalTimes } from './begin-request.ts';
import type { ProblemType } from './problem.ts';
import { shutDownGracefully, trackConnections } from './shutdown.ts';
import { type StopSteps } from './stop-signals.ts';
import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface RunningServer {
  readonly url: string;
  /**
   * Withdraws readiness at once and serves on until `until` resolves; at once where it is not given. Then takes no more
   * connections, tells streams to end, lets requests in flight finish, and after `graceMs` refuses or cuts what is left.
   * A request that has not wholly arrived is not waited for so long. `cut`: something was left.
   */
  readonly stop: (graceMs: number, until?: Promise<unknown>) => Promise<'clean' | 'cut'>;
}

/** How long a sender may take, in milliseconds. An answer may take as long as it likes. */
export interface ArrivalLimits {
  /** Until the headers are there, from the first byte or the opening of the connection. */
  readonly headersMs: number;
  /** Until the whole request is there. The largest body is 1 MiB, but of an upload. */
  readonly requestMs: number;
  /** The same for uploads, which must go on all the time. */
  readonly uploadMs: number;
  /** How often connections are looked over: a limit may be exceeded by as much. */
  readonly pollMs: number;
}
const ARRIVAL_LIMITS: ArrivalLimits = {
  headersMs: 15_000,
  requestMs: 30_000,
  uploadMs: 3_600_000,
  pollMs: 2_000,
};
const KEEP_ALIVE_MS = 65_000;
/** For a refusal to reach a sender that does not close its side. */
const LINGER_MS = 1_000;

/**
 * Listens; port 0 is any that is free. `steps` are gone when the server is told to stop.
 *
 * @throws the system's error when the address cannot be had
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
 * Refuses with the envelope what Node would refuse with an empty answer: an HTTP/1.1 request without `Host` (RFC 9112,
 * section 3.2). The server must be made with `requireHostHeader: false`.
 */
const withHost =
  (listener: RequestListener): RequestListener =>
  (req, res) => {
    if (req.headers.host !== undefined || req.httpVersion === '1.0') listener(req, res);
    else refuse(res, 400, 'send the header Host: HTTP/1.1 asks for it');
  };

/** Listens to `checkExpectation`: `100-continue`, which Node meets by itself, never comes here. */
const refuseExpectation = (_req: IncomingMessage, res: ServerResponse): void =>
  refuse(res, 417, 'Expect may be 100-continue and nothing else: leave it out');

const refuse = (res: ServerResponse, status: number, message: string): void => {
  const body = JSON.stringify({ error: { message, type: 'invalid_request' } });
  const headers = { 'content-type': 'application/json; charset=utf-8', connection: 'close' };
  res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
};
