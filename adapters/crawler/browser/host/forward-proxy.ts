import { AddressNotAllowed } from '../../guarded-connector.ts';
import { type IncomingMessage, type ServerResponse, createServer, request as sendRequest } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The network budget that one page has left. */
export interface Allowance {
  /** Uses one request of the budget; false when none is left. */
  readonly takeRequest: () => boolean;
  /** Whether cookies may be sent to `url`: not to other ports of the page's host, which browsers do not tell apart. */
  readonly mayHaveCookies: (url: URL) => boolean;
  /** Tracks a connection: its bytes in both directions count, and it is closed when the budget is used up. */
  readonly hold: (socket: Socket) => void;
  /** Whether the budget is used up or was ended. */
  readonly ended: () => boolean;
  readonly atEnd: (then: () => void) => void;
  readonly end: () => void;
}

/** Once the bytes are used up, every connection is closed and no new one is made. */
export const createAllowance = (requests: number, bytes: number, page: URL): Allowance => {
  const sockets = new Set<Socket>();
  const endings: (() => void)[] = [];
  let [requestsLeft, finished] = [requests, false];
  /** Bytes of connections that are closed. */
  let closedBytes = 0;
  const spent = (): number => [...sockets].reduce((sum, socket) => sum + bytesOf(socket), closedBytes);
  const end = (): void => {
    if (finished) return;
    finished = true;
    for (const socket of sockets) socket.destroy();
    for (const then of endings) then();
  };
  return {
    mayHaveCookies: ({ hostname, host }) => hostname !== page.hostname || host === page.host,
    takeRequest: () => {
      requestsLeft -= 1;
      return requestsLeft >= 0 && !finished;
    },
    hold: (socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        closedBytes += bytesOf(socket);
      });
      socket.on('data', () => {
        if (spent() > bytes) end();
      });
      if (finished) socket.destroy();
    },
    ended: () => finished,
    atEnd: (then) => void endings.push(then),
    end,
  };
};

const bytesOf = (socket: Socket): number => socket.bytesRead + socket.bytesWritten;

/** Opens a connection to an allowed address. @throws AddressNotAllowed */
export type Dial = (hostname: string, port: number) => Promise<Socket>;

export interface ForwardProxy {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** Until the allowance is closed, connections with these credentials use it. */
  readonly admit: (username: string, password: string, allowance: Allowance) => void;
  readonly close: () => void;
}

/**
 * Served by the proxy itself once the browser has sent its credentials. Without it, a WebSocket cannot be the first
 * connection.
 */
export const GREETING = 'http://knowledger.invalid/';

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);
const AUTH_CHALLENGE = { 'proxy-authenticate': 'Basic realm="pages"' };

/**
 * The browser's only way to the network (RFC 9112, section 3.2.2; RFC 9110, section 9.3.6). Connects only through
 * `dial`, and only for admitted credentials, and counts the traffic. Listens on loopback.
 */
export const createForwardProxy = async (dial: Dial): Promise<ForwardProxy> => {
  const admitted = new Map<string, Allowance>();
  const allowanceOf = ({ headers }: IncomingMessage): Allowance | undefined => {
    const allowance = admitted.get(headers['proxy-authorization'] ?? '');
    return allowance?.ended() === true ? undefined : allowance;
  };

  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    request.on('error', () => {});
    response.on('error', () => {});
    const allowance = allowanceOf(request);
    if (allowance === undefined) return void response.writeHead(407, AUTH_CHALLENGE).end();
    if (request.url === GREETING) {
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>ready</title>');
    }
    void forward(dial, allowance, request, response);
  });
  server.on('connect', (request, client, first) => {
    client.on('error', () => client.destroy());
    const allowance = allowanceOf(request);
    if (allowance === undefined) {
      client.end('HTTP/1.1 407 No\r\nproxy-authenticate: Basic realm="pages"\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    client.unshift(first);
    void tunnel(dial, allowance, request.url ?? '', client);
  });
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    admit: (username, password, allowance) => {
      const header = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
      admitted.set(header, allowance);
      allowance.atEnd(() => admitted.delete(header));
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

/** Handles a request in absolute form: plain HTTP. */
const forward = async (
  dial: Dial,
  allowance: Allowance,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const url = URL.parse(request.url ?? '');
  if (url === null || url.protocol !== 'http:') return void response.writeHead(400).end();
  try {
    const socket = await dial(bare(url.hostname), Number(url.port || '80'));
    allowance.hold(socket);
    const { method } = request;
    const { cookie, ...others } = endToEndHeaders(request.headers);
    const cookies = cookie !== undefined && allowance.mayHaveCookies(url) ? { cookie } : {};
    const headers = { ...others, ...cookies, host: url.host, connection: 'close' };
    const path = url.pathname + url.search;
    const onwards = sendRequest({ method, path, headers, createConnection: () => socket });
    onwards.on('error', () => response.destroy());
    onwards.on('response', (answer) => {
      answer.on('error', () => response.destroy());
      response.writeHead(answer.statusCode ?? 502, endToEndHeaders(answer.headers));
      answer.pipe(response);
    });
    request.pipe(onwards);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else response.writeHead(statusOf(error)).end();
  }
};

/** Tunnels everything else, including TLS and WebSockets. */
const tunnel = async (dial: Dial, allowance: Allowance, target: string, client: Duplex): Promise<void> => {
  const url = URL.parse(`http://${target}`);
  try {
    if (url === null || url.host === '') throw new Error('no host and port');
    const server = await dial(bare(url.hostname), Number(url.port || '80'));
    if (client.destroyed) return void server.destroy();
    allowance.hold(server);
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    server.pipe(client);
    client.pipe(server);
  } catch (error) {
    client.end(`HTTP/1.1 ${statusOf(error)} No\r\ncontent-length: 0\r\n\r\n`);
  }
};

const statusOf = (error: unknown): number => (error instanceof AddressNotAllowed ? 403 : 502);

const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

const endToEndHeaders = (headers: NodeJS.Dict<string | string[]>): NodeJS.Dict<string | string[]> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
