import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A collector of OTLP over HTTP that keeps what it is sent. */
export const openOtlpSink = async () => {
  const bodies: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  /** How the next requests are answered; `cut` breaks the connection. Without any left all is accepted. */
  const answers: (Answer | 'cut')[] = [];
  const keep = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    bodies.push(JSON.stringify(await json(request)));
    headers.push(request.headers);
    const answer = answers.shift() ?? {};
    if (answer === 'cut') request.socket.destroy();
    else response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '{}');
  };
  const server = createServer((request, response) => void keep(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { bodies, headers, answers, endpoint, close: () => server.close() };
};
