import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A request as the provider got it. */
export interface AskedCompletion {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Of the client: the same for requests over one connection. */
  readonly port: number | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly {
      readonly role: string;
      readonly content: string;
      readonly [name: string]: unknown;
    }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
    readonly stream?: boolean;
    readonly max_tokens?: number;
    readonly response_format?: { readonly json_schema?: { readonly schema?: unknown } };
    readonly [name: string]: unknown;
  };
  /** How its connection went: whether the client got the whole answer, or left before. */
  readonly outcome: Promise<'answered' | 'left'>;
}

export type ProviderAnswer = (asked: AskedCompletion, response: ServerResponse) => void | Promise<void>;

/** An OpenAI-compatible provider on loopback that answers and fails as a test says. */
export interface ModelProvider {
  /** As a service is configured with it. */
  readonly baseUrl: string;
  readonly asked: AskedCompletion[];
  /** Answers to the next requests, each used once. */
  readonly next: ProviderAnswer[];
  /** Answers what `next` does not. Default: `says('An answer from the passages [1].')`. */
  otherwise: ProviderAnswer;
  /** Resolves with request number `n`, from 1, once it has come. */
  readonly request: (n: number) => Promise<AskedCompletion>;
  readonly close: () => Promise<void>;
}

export const openModelProvider = async (): Promise<ModelProvider> => {
  const asked: AskedCompletion[] = [];
  const arrivals = new EventTarget();
  const server = createServer((request, response) => {
    void (async () => {
      const outcome = new Promise<'answered' | 'left'>((resolve) => {
        response.on('close', () => resolve(response.writableFinished ? 'answered' : 'left'));
      });
      const body = (await json(request)) as AskedCompletion['body'];
      const { headers, socket, url: path = '' } = request;
      const one = { path, headers, port: socket.remotePort, body, outcome };
      asked.push(one);
      arrivals.dispatchEvent(new Event('request'));
      await (provider.next.shift() ?? provider.otherwise)(one, response);
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const provider: ModelProvider = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    next: [],
    otherwise: says('An answer from the passages [1].'),
    request: async (n) => {
      while (asked.length < n) await once(arrivals, 'request');
      return asked[n - 1]!;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return provider;
};

/** One event of a chat completion, as it goes over the wire. */
export const chunk = (delta: object, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta, finish_reason: finish }] });
export const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
export const DONE = 'data: [DONE]\n\n';

/** By the names of Chat Completions, not by ours. */
export const usageOf = (words: number) => ({
  prompt_tokens: 7,
  completion_tokens: words,
  total_tokens: 7 + words,
});

/**
 * A whole answer, word by word, with usage. A word counts as a token: `max_tokens` cuts it. Where a schema is asked for,
 * the text is JSON already.
 */
export const says =
  (text: string): ProviderAnswer =>
  ({ body }, response) => {
    const words = text.match(/\s*\S+/g) ?? [];
    const kept = words.slice(0, body.max_tokens ?? Infinity);
    const finish = kept.length < words.length ? 'length' : 'stop';
    const usage = event({ choices: [], usage: usageOf(kept.length) });
    const pieces = [chunk({ role: 'assistant', content: '' }), ...kept.map((content) => chunk({ content }))];
    raw([...pieces, chunk({}, finish), usage, DONE])({} as AskedCompletion, response);
  };

/** A call that a model asks for. */
export interface AskedTool {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Calls of tools behind a text, their arguments in pieces that come in turns, as OpenAI sends them. */
export const callsTools = (calls: readonly AskedTool[], text = ''): ProviderAnswer =>
  raw(callParts(calls, text));

export const callParts = (calls: readonly AskedTool[], text: string): readonly string[] => {
  const begun = calls.map(({ id, name }, index) =>
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
  );
  const pieces = calls.map((call) => call.arguments.match(/[^]{1,7}/g) ?? []);
  const longest = Math.max(0, ...pieces.map(({ length }) => length));
  const mapYielding = Array.from({ length: longest }, (_, turn) =>
    pieces.flatMap((own, index) =>
      own[turn] === undefined ? [] : [chunk({ tool_calls: [{ index, function: { arguments: own[turn] } }] })],
    ),
  );
  const said = text === '' ? [] : [chunk({ role: 'assistant', content: text })];
  const usage = event({ choices: [], usage: usageOf(calls.length) });
  return [...said, ...begun, ...mapYielding.flat(), chunk({}, 'tool_calls'), usage, DONE];
};

export interface RawOptions {
  readonly contentType?: string;
  /** What comes after the parts. `stay`: silence with an open connection; `die`: a broken connection. */
  readonly after?: 'end' | 'stay' | 'die';
}

/** These parts, whatever they are. */
export const raw =
  (
    parts: readonly (string | Uint8Array)[],
    { contentType = 'text/event-stream', after = 'end' }: RawOptions = {},
  ) =>
  (_asked: AskedCompletion, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': contentType });
    response.flushHeaders();
    for (const part of parts) response.write(part);
    if (after === 'end') response.end();
    // Only once the parts have left may the connection break.
    if (after === 'die') response.write(': last\n', () => response.socket?.resetAndDestroy());
  };

/** Takes the request and says nothing. */
export const hangs: ProviderAnswer = () => undefined;

/** Breaks the connection without an answer. */
export const hangsUp: ProviderAnswer = (_asked, response) => void response.socket?.resetAndDestroy();

/** An error as OpenAI tells it. */
export const refuses =
  (status: number, error: object | string, headers: Readonly<Record<string, string>> = {}): ProviderAnswer =>
  (_asked, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error }));
  };
