import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface AskedJson {
  readonly method: string | undefined;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
export type JsonAnswer = (response: ServerResponse, asked: AskedJson) => void;

/** A provider on loopback that answers JSON, and fails as a test says. */
export interface JsonProvider {
  readonly url: string;
  readonly asked: AskedJson[];
  /** Answers to the next requests, each used once. */
  readonly next: JsonAnswer[];
  /** Answers what `next` does not. */
  otherwise: JsonAnswer;
  readonly close: () => Promise<void>;
}

export const openJsonProvider = async (otherwise: JsonAnswer): Promise<JsonProvider> => {
  const state = { asked: [] as AskedJson[], next: [] as JsonAnswer[], otherwise };
  const server = createServer((request, response) => {
    void (async () => {
      const { method, url: path = '', headers } = request;
      const asked = { method, path, headers, body: await text(request) };
      state.asked.push(asked);
      (state.next.shift() ?? state.otherwise)(response, asked);
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return Object.assign(state, { url, close });
};

export const json =
  (value: unknown): JsonAnswer =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

export const sends =
  (body: string, status = 200, headers: Readonly<Record<string, string>> = {}): JsonAnswer =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Takes the request and says nothing. */
export const hangs: JsonAnswer = () => undefined;
/** Breaks the connection without an answer. */
export const hangsUp: JsonAnswer = (response) => void response.socket?.resetAndDestroy();
