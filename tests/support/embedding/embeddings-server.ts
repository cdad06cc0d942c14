import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { hashedVector } from './hashed-embedder.ts';

interface Asked {
  readonly model: string;
  readonly input: readonly string[];
  readonly key: string | undefined;
}
export type Fault = (request: IncomingMessage, response: ServerResponse) => void;

/** A stand-in for a provider of embeddings on loopback; its models are all hashes. */
export interface EmbeddingsServer {
  /** Base URL of the API. */
  readonly url: string;
  /** Every request that came, faulty ones included. */
  readonly asked: Asked[];
  /** Answers for the next requests, one each, instead of vectors. */
  readonly faults: Fault[];
  /** While set, answers every request. */
  broken: Fault | null;
  /** Texts with this in them are refused. */
  refused: string | null;
  dimensions: number;
  readonly close: () => Promise<void>;
}

export const failing =
  (status: number, headers: { readonly [name: string]: string } = {}, body = ''): Fault =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

export const openEmbeddingsServer = async (): Promise<EmbeddingsServer> => {
  const state = {
    asked: [] as Asked[],
    faults: [] as Fault[],
    broken: null as Fault | null,
    refused: null as string | null,
    dimensions: 64,
  };
  const server = createServer((request, response) => {
    void answer(state, request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(state, { url, close });
};

const answer = async (
  state: Omit<EmbeddingsServer, 'url' | 'close'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { model, input } = JSON.parse(await text(request)) as Asked;
  state.asked.push({ model, input, key: request.headers.authorization });
  const fault = state.broken ?? state.faults.shift();
  if (fault !== undefined) return fault(request, response);
  if (request.url !== '/v1/embeddings') return failing(404)(request, response);
  const { refused, dimensions } = state;
  if (refused !== null && input.some((of) => of.includes(refused))) return failing(400)(request, response);
  const data = input.map((of, index) => ({
    object: 'embedding',
    index,
    embedding: [...hashedVector(of, dimensions, model)],
  }));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ object: 'list', model, data: data.toReversed() }));
};
