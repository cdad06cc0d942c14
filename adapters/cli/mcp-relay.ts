import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const REVISION = 'io.modelcontextprotocol/protocolVersion';

/** The result of the handshake in older revisions; undefined before it, and in revisions without one. */
interface Handshake {
  revision?: string;
  session?: string;
}

/**
 * Headers that streamable HTTP requires from the content of a message: in revisions without a handshake, all of them.
 */
const headersOf = ({ method, params }: Message, { revision, session }: Handshake) => {
  const claimed = (params?.['_meta'] as { readonly [name: string]: unknown } | undefined)?.[REVISION];
  const name = params?.['name'] ?? params?.['uri'];
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(typeof claimed === 'string'
      ? {
          'mcp-protocol-version': claimed,
          ...(method !== undefined && { 'mcp-method': asHeader(method) }),
          ...(typeof name === 'string' && { 'mcp-name': asHeader(name) }),
        }
      : {
          ...(revision !== undefined && { 'mcp-protocol-version': revision }),
          ...(session !== undefined && { 'mcp-session-id': session }),
        }),
  };
};

/** As the protocol says: a value that is invalid in a header is sent in Base64. */
const asHeader = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith(SENTINEL)
    ? text
    : `${SENTINEL}${Buffer.from(text).toString('base64')}?=`;
const SENTINEL = '=?base64?';

/** A message of JSON-RPC, as far as it is inspected here. */
interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Yields the messages of an HTTP response, JSON or a stream, as they arrive; none for an empty body. */
async function* messagesIn(answer: Response): AsyncGenerator<Message> {
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    for await (const data of dataIn(answer)) yield JSON.parse(data) as Message;
    return;
  }
  const text = await answer.text();
  if (text !== '') yield JSON.parse(text) as Message;
}

/** Yields the data of each event of a stream (HTML, "Server-sent events"); skips comments and other fields. */
async function* dataIn({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n\r?\n/);
    rest = events.pop() ?? '';
    for (const event of events) {
      const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
      if (lines.length > 0) yield lines.map((line) => line.slice('data:'.length).trimStart()).join('\n');
    }
  }
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

/**
 * Relays the protocol between standard input and output and the HTTP responses of a running service: one message per
 * line, many concurrent calls. It only handles the methods that HTTP expresses differently: the handshake, whose result
 * goes into headers, and a cancellation, which closes the connection of its call. Resolves when the input has ended and
 * its requests are answered. Calls that outlast the deadline get an error.
 */
export const relay = async ({ url, key, input, output, tell, deadline }: RelayDeps): Promise<void> => {
  const handshake: Handshake = {};
  const underway = new Map<Message['id'], AbortController>();
  const handled = new Set<Promise<void>>();
  const ended = new AbortController();
  const answer = (message: Message): Promise<void> => output(JSON.stringify({ jsonrpc: '2.0', ...message }));

  const post = async (message: Message, signal: AbortSignal): Promise<void> => {
    const headers = { ...headersOf(message, handshake), 'x-api-key': key };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message), signal });
    const session = response.headers.get('mcp-session-id');
    let isAnswered = message.id === undefined;
    for await (const told of messagesIn(response)) {
      if (!response.ok) throw new MessageRefused(response.status, told);
      if (message.method === 'initialize') settle(handshake, told, session);
      if (told.method === undefined) isAnswered = true;
      await answer(told);
    }
    if (!isAnswered) throw new Error('it ended before it responded');
  };

  const handle = async (message: Message): Promise<void> => {
    const { id, method, params } = message;
    if (method === 'notifications/cancelled') underway.get(params?.['requestId'] as Message['id'])?.abort();
    const call = new AbortController();
    if (id !== undefined) underway.set(id, call);
    const signal = AbortSignal.any([call.signal, ended.signal]);
    try {
      await post(message, signal);
    } catch (error) {
      if (call.signal.aborted) return;
      const refusal = ended.signal.aborted ? TOO_LATE : refusalFor(url, error);
      tell(`knowledger: ${refusal.message}`);
      if (id !== undefined) await answer({ id, error: refusal });
    } finally {
      if (underway.get(id) === call) underway.delete(id);
    }
  };

  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    const message = messageIn(line);
    if (message === null) {
      await answer({ id: null, error: { code: -32700, message: 'this line is not a JSON-RPC message' } });
      continue;
    }
    const one = handle(message).finally(() => handled.delete(one));
    handled.add(one);
  }
  const done = new AbortController();
  const answered = Promise.all(handled).then(() => done.abort());
  await Promise.race([answered, deadline(done.signal)]);
  ended.abort();
  await answered;
};

const TOO_LATE = { code: -32000, message: 'the input has ended, and the answer did not come in time' };

const settle = (handshake: Handshake, { result }: Message, session: string | null): void => {
  const revision = result?.['protocolVersion'];
  if (typeof revision === 'string') handshake.revision = revision;
  if (session !== null) handshake.session = session;
};

const messageIn = (line: string): Message | null => {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
};

/** The service refused a message before the call started. */
class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
  readonly answer: Message;
  constructor(status: number, answer: Message) {
    super(`it answers ${status}`);
    this.answer = answer;
  }
}

/** The service's own message, or why there is none. */
const refusalFor = (url: URL, error: unknown): NonNullable<Message['error']> => {
  const said = error instanceof MessageRefused ? error.answer.error : undefined;
  return typeof said?.code === 'number' ? said : { code: -32000, message: connectionProblem(url, error) };
};

/** Contains nothing that was sent: neither the key nor the message. */
const connectionProblem = ({ origin }: URL, error: unknown): string => {
  if (error instanceof SyntaxError || error instanceof MessageRefused)
    return `${origin} does not speak this protocol: is KNOWLEDGER_URL that of the service?`;
  const { cause, message } = error as Error & { cause?: { code?: string } };
  return `${origin} does not answer (${cause?.code ?? message}): is the service running there? set KNOWLEDGER_URL if it runs elsewhere`;
};
