import { SourceRefused } from '../../application/sources/ingestion/listed/listed-source.ts';
import { serverDelay, connectionFault, isTransientStatus } from './retry.ts';
import type { Dispatcher } from 'undici';

/** A response whose body is not read yet. */
export interface ProviderResponse {
  readonly status: number;
  readonly header: (name: string) => string | null;
  /** The URL that responded: another one than requested, after redirects. */
  readonly url: URL;
  /**
   * Can be iterated once, up to the byte limit of the request.
   *
   * @throws ResponseTooLarge; other errors are for the client
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The body is larger than the request allows: a retry would not help. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`the response has more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/**
 * The response is not what the API promises. The message completes "the provider …" (`sent no scores`) and repeats
 * nothing of the response.
 */
export class InvalidResponse extends Error {
  override readonly name = 'InvalidResponse';
}

/** The connection broke while the body was received. */
export class ConnectionBroken extends Error {
  override readonly name = 'ConnectionBroken';
  readonly code: string;
  constructor(cause: unknown) {
    super('the connection broke while the body was received', { cause });
    this.code = connectionFault(cause).word;
  }
}

export const responseOf = (
  { statusCode, headers, body }: Dispatcher.ResponseData,
  url: URL,
  maxBytes: number,
): ProviderResponse => ({
  status: statusCode,
  header: (name) => [headers[name]].flat()[0] ?? null,
  url,
  body: capped(body, maxBytes),
});

// Leaving the loop in any way closes the connection.
async function* capped(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  const parts = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const part = await parts.next().catch((error: unknown) => {
        throw new ConnectionBroken(error);
      });
      if (part.done === true) return;
      bytes += part.value.length;
      if (bytes > maxBytes) throw new ResponseTooLarge(maxBytes);
      yield part.value;
    }
  } finally {
    await parts.return?.();
  }
}

export const bytesOf = async ({ body }: Pick<ProviderResponse, 'body'>): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
};

/** The text of a response. @throws InvalidResponse when it is larger than the request allows */
export const textOf = async (response: Pick<ProviderResponse, 'body'>): Promise<string> =>
  (await all(response)).toString('utf8');

/**
 * @throws InvalidResponse when the response is not JSON, exceeds the byte limit of the request, or contains more values
 * than any valid response
 */
export const jsonOf = async (response: Pick<ProviderResponse, 'body'>): Promise<unknown> => {
  const bytes = await all(response);
  if (bytes.byteLength > MAX_VALUES && holdsMoreValues(bytes))
    throw new InvalidResponse(`sent a response of over ${MAX_VALUES} values`);
  return parsed(bytes.toString('utf8'));
};

/** @throws InvalidResponse when the text is not JSON */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidResponse('sent a response that is not JSON');
  }
};

const all = (response: Pick<ProviderResponse, 'body'>): Promise<Buffer> =>
  bytesOf(response).catch((error: unknown) => {
    if (!(error instanceof ResponseTooLarge)) throw error;
    throw new InvalidResponse(`sent a response of over ${error.maxBytes} bytes`);
  });

/**
 * The largest valid response, the tree of a repository, has six values per file. An empty list takes three bytes of a
 * response and about fifty bytes of memory: without a limit, a response of 64 MB could take over a gigabyte.
 */
const MAX_VALUES = 4_000_000;
const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/** Outside of strings, a value begins at the start of the text, after a comma, or after an opening bracket. */
const holdsMoreValues = (json: Uint8Array): boolean => {
  let [values, isText] = [0, false];
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i];
    if (isText && byte === BACKSLASH) i += 1;
    else if (byte === QUOTE) isText = !isText;
    else if (!isText && (byte === COMMA || byte === LIST || byte === OBJECT)) values += 1;
  }
  return values > MAX_VALUES;
};

/** An error response: its status, headers, and the first bytes of its body. */
export interface Refusal {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
}

/** How the client treats a refusal. */
export type Verdict =
  /** Retry after this many milliseconds; null when the provider does not say. */
  | { readonly kind: 'wait'; readonly ms: number | null }
  /** Transient: a retry may succeed. */
  | { readonly kind: 'fault' }
  /** Every request would be refused. */
  | { readonly kind: 'refused'; readonly error: SourceRefused }
  /** Only this request is refused. */
  | { readonly kind: 'no' };

/** Undefined for the usual verdict of the status. @param now Unix milliseconds */
export type Judge = (refusal: Refusal, now: number) => Verdict | undefined;

/**
 * The provider refused one request, for example with 404. The caller knows what that means; the message repeats no word
 * of the provider.
 */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly status: number;
  readonly json: unknown;
  constructor(provider: string, { status, json }: Refusal) {
    super(`${provider} answers ${status}`);
    [this.status, this.json] = [status, json];
  }
}

export const nullIfRefused = (error: unknown): null => {
  if (error instanceof RequestRefused) return null;
  throw error;
};

/**
 * The verdict by status alone. Only 401 is certainly about credentials: 403 may also mean one hidden resource, or a
 * rate limit.
 *
 * @param sentSecret whether the request carried credentials
 */
export const usualVerdict = (
  name: string,
  { status, header }: Refusal,
  sentSecret: boolean,
  now: number,
): Verdict => {
  const asked = serverDelay(header, now);
  if (status === 429) return { kind: 'wait', ms: asked === 0 ? null : asked };
  if (isTransientStatus(status)) return asked === 0 ? { kind: 'fault' } : { kind: 'wait', ms: asked };
  if (status !== 401) return { kind: 'no' };
  const message = sentSecret
    ? `${name} does not accept the credentials (401): renew the secret of this data source, then sync`
    : `${name} asks for credentials (401), and this data source has none: without a secret, only what is public is read`;
  return {
    kind: 'refused',
    error: new SourceRefused('credentials_rejected', 'Credentials rejected', message),
  };
};
