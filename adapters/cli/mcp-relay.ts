import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import {
  type JSONRPCMessage,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

/** A message of JSON-RPC, as far as it is inspected here. */
interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface RelayDeps {
  /** URL of `/mcp`, with parameters for all calls in its query. */
  readonly url: URL;
  readonly key: string;
  readonly input: Readable;
  /** Writes one message, without a line break; resolves when there is room for more. */
  readonly output: (line: string) => Promise<void>;
  /** Reports to the user, outside of the protocol. */
  readonly tell: (line: string) => void;
  /** Called when the input has ended; resolves when pending calls must be aborted, or when the signal aborts. */
  readonly deadline: (signal: AbortSignal) => Promise<void>;
}

/** A request that is not answered yet. */
interface Call {
  readonly method: string | undefined;
  readonly over: PromiseWithResolvers<void>;
  readonly abort: () => void;
}

/**
 * Relays the protocol between standard input and output and the HTTP responses of a running service: one message per
 * line, many concurrent calls. It only handles what HTTP expresses differently: the protocol version of the handshake,
 * which goes into headers, and a cancellation, which closes the connection of its call. Resolves when the input has
 * ended and its requests are answered. Calls that outlast the deadline get an error.
 */
export const relay = async ({ url, key, input, output, tell, deadline }: RelayDeps): Promise<void> => {
  const service = new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'x-api-key': key } } });
  await service.start();
  const calls = new Map<Message['id'], Call>();
  const handled = new Set<Promise<void>>();
  let written: Promise<void> = Promise.resolve();
  const write = (message: Message): Promise<void> =>
    (written = written.then(() => output(JSON.stringify({ jsonrpc: '2.0', ...message }))));

  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no listeners
  service.onmessage = (told) => {
    const { id, method, result } = told as Message;
    const call = method === undefined ? calls.get(id) : undefined;
    const version = result?.['protocolVersion'];
    if (call?.method === 'initialize' && typeof version === 'string') service.setProtocolVersion(version);
    void write(told as Message).then(call?.over.resolve);
  };

  const send = async (message: Message): Promise<void> => {
    const { id, method, params } = message;
    if (method === 'notifications/cancelled') calls.get(params?.['requestId'] as Message['id'])?.abort();
    const [taken, over] = [new AbortController(), Promise.withResolvers<void>()];
    const call = { method, over, abort: () => (over.resolve(), taken.abort()) };
    const isRequest = method !== undefined && id !== undefined;
    if (isRequest) calls.set(id, call);
    try {
      const sent = service.send(message as JSONRPCMessage, {
        requestSignal: taken.signal,
        onRequestStreamEnd: () => over.reject(new NoAnswer('it ended before it responded')),
      });
      await Promise.race([sent.then(() => (isRequest ? over.promise : undefined)), over.promise]);
    } catch (error) {
      taken.abort();
      const refusal = error instanceof TooLate ? TOO_LATE : refusalFor(url, error);
      tell(`knowledger: ${refusal.message}`);
      if (id !== undefined) await write({ id, error: refusal });
    } finally {
      if (calls.get(id) === call) calls.delete(id);
    }
  };

  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    const message = messageIn(line);
    if (message === null) {
      await write({ id: null, error: { code: -32700, message: 'this line is not a JSON-RPC message' } });
      continue;
    }
    const one = send(message).finally(() => handled.delete(one));
    handled.add(one);
  }
  const done = new AbortController();
  const answered = Promise.all(handled).then(() => done.abort());
  await Promise.race([answered, deadline(done.signal)]);
  for (const { over } of calls.values()) over.reject(new TooLate());
  await answered;
  await service.close();
};

class TooLate extends Error {}
const TOO_LATE = { code: -32000, message: 'the input has ended, and the answer did not come in time' };

/** The service took the message, and its response broke off. */
class NoAnswer extends Error {}

const messageIn = (line: string): Message | null => {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
};

/** The service's own message, or why there is none. */
const refusalFor = (url: URL, error: unknown): NonNullable<Message['error']> => {
  const text = error instanceof SdkHttpError ? error.data.text : undefined;
  const said = typeof text === 'string' ? messageIn(text)?.error : undefined;
  return typeof said?.code === 'number' ? said : { code: -32000, message: connectionProblem(url, error) };
};

/** Contains nothing that was sent: neither the key nor the message. */
const connectionProblem = ({ origin }: URL, error: unknown): string => {
  const { cause, message } = error as Error & { cause?: { code?: string } };
  // What `fetch` throws.
  return error instanceof NoAnswer || error instanceof TypeError
    ? `${origin} does not answer (${cause?.code ?? message}): is the service running there? set KNOWLEDGER_URL if it runs elsewhere`
    : `${origin} does not speak this protocol: is KNOWLEDGER_URL that of the service?`;
};
