import { AddressNotAllowed } from '../../guarded-connector.ts';
import { type IncomingMessage, type ServerResponse, createServer, request as sendRequest } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What one page may still take of the network. */
export interface Allowance {
  /** Takes one request from it; false: there is none left. */
  readonly takeRequest: () => boolean;
  /** Watches a connection: its bytes in both directions are spent, and it ends with the allowance. */
  readonly hold: (socket: Socket) => void;
  /** Whether it is spent or was ended. */
  readonly ended: () => boolean;
  readonly atEnd: (then: () => void) => void;
  readonly end: () => void;
}

/** Once its bytes are spent every connection ends, and none is made. */
export const createAllowance = (requests: number, bytes: number): Allowance => {
  const sockets = new Set<Socket>();
  const endings: (() => void)[] = [];
  let [requestsLeft, finished] = [requests, false];
  /** Of connections that are closed. */
  let closedBytes = 0;
  const spent = (): number => [...sockets].reduce((sum, socket) => sum + bytesOf(socket), closedBytes);
  const end = (): void => {
    if (finished) return;
    finished = true;
    for (const socket of sockets) socket.destroy();
    for (const then of endings) then();
  };
  return {
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

/** Opens a connection to an address that is allowed. @throws AddressNotAllowed */
export type Dial = (hostname: string, port: number) => Promise<Socket>;

export interface ForwardProxy {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** From now on, until it is closed, whoever names these credentials spends of this allowance. */
  readonly admit: (username: string, password: string, allowance: Allowance) => void;
  readonly close: () => void;
}

/** Answered by the proxy itself, once the browser has sent its credentials: only then may a WebSocket come first. */
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
const ASKS = { 'proxy-authenticate': 'Basic realm="pages"' };

/**
 * The only way of a browser to the network (RFC 9112, section 3.2.2; RFC 9110, section 9.3.6). It connects by `dial`
 * alone, for those whom it has admitted, and counts what goes through. Listens on loopback.
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
    if (allowance === undefined) return void response.writeHead(407, ASKS).end();
    if (request.url === GREETING) {
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>ready</title>');
    }
    void pass(dial, allowance, request, response);
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

/** A request in absolute form: plain HTTP. */
const pass = async (
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
    const headers = { ...passedOn(request.headers), host: url.host, connection: 'close' };
    const path = url.pathname + url.search;
    const onwards = sendRequest({ method, path, headers, createConnection: () => socket });
    onwards.on('error', () => response.destroy());
    onwards.on('response', (answer) => {
      answer.on('error', () => response.destroy());
      response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
      answer.pipe(response);
    });
    request.pipe(onwards);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else response.writeHead(statusOf(error)).end();
  }
};

/** Everything else, TLS and WebSockets included: bytes there and back. */
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

const passedOn = (headers: NodeJS.Dict<string | string[]>): NodeJS.Dict<string | string[]> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
