import { SourceRefused } from '../../application/sources/ingestion/listed/listed-source.ts';
import { askedToWait, connectionFault, isTransientStatus } from './retry.ts';
import type { Dispatcher } from 'undici';

/** An answer whose body has not come yet. */
export interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | null;
  /** What answered: another one than was asked, after redirects. */
  readonly url: URL;
  /** Once, up to the bytes that the request allows. @throws ResponseTooLarge; other errors are for the client */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The body is larger than the request allows: asking again would not help. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`the answer has more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** JSON that is no answer; the message says what it is, as `answers no scores`, and repeats nothing of it. */
export class InvalidResponse extends Error {
  override readonly name = 'InvalidResponse';
}

/** The connection broke while the body came. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
  readonly word: string;
  constructor(cause: unknown) {
    super('the body broke off', { cause });
    this.word = connectionFault(cause).word;
  }
}

export const answerOf = (
  { statusCode, headers, body }: Dispatcher.ResponseData,
  url: URL,
  maxBytes: number,
): Answer => ({
  status: statusCode,
  header: (name) => [headers[name]].flat()[0] ?? null,
  url,
  body: capped(body, maxBytes),
});

// Leaving the loop, by whatever way, closes the connection.
async function* capped(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  const parts = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const part = await parts.next().catch((error: unknown) => {
        throw new BrokenOff(error);
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

export const bytesOf = async ({ body }: Pick<Answer, 'body'>): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
};

/** The text of an answer whose size is bounded by what it can hold. @throws InvalidResponse where it is larger */
export const textOf = async (answer: Pick<Answer, 'body'>): Promise<string> =>
  (await all(answer)).toString('utf8');

/** @throws InvalidResponse for what is no JSON, is larger than the request allows, or holds more values than any answer has */
export const jsonOf = async (answer: Pick<Answer, 'body'>): Promise<unknown> => {
  const bytes = await all(answer);
  if (bytes.byteLength > MAX_VALUES && holdsMoreValues(bytes))
    throw new InvalidResponse(`sent an answer of over ${MAX_VALUES} values`);
  return parsed(bytes.toString('utf8'));
};

/** @throws InvalidResponse for what is no JSON */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidResponse('sent something else than JSON');
  }
};

const all = (answer: Pick<Answer, 'body'>): Promise<Buffer> =>
  bytesOf(answer).catch((error: unknown) => {
    if (!(error instanceof ResponseTooLarge)) throw error;
    throw new InvalidResponse(`sent an answer of over ${error.maxBytes} bytes`);
  });

/**
 * The largest honest answer, the tree of a repository, has six values for each of its files. An empty list takes three
 * bytes of an answer and some fifty of memory: without a bound, an answer of 64 MB could take over a gigabyte.
 */
const MAX_VALUES = 4_000_000;
const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/** Outside of strings, a value begins with the text, behind a comma, or behind a bracket. */
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

/** An answer that is none: its status, headers, and the first of its body. */
export interface Refusal {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly text: string;
  /** Of the body; undefined where it is no JSON. */
  readonly json: unknown;
}

/** What a refusal means. */
export type Verdict =
  /** To be asked again after so many milliseconds; null: it does not say when. */
  | { readonly kind: 'wait'; readonly ms: number | null }
  /** Another try may be answered. */
  | { readonly kind: 'fault' }
  /** Whatever is asked is refused. */
  | { readonly kind: 'refused'; readonly error: SourceRefused }
  /** No to this request, which says nothing of others. */
  | { readonly kind: 'no' };

/** Undefined: it means what its status usually means. @param now Unix milliseconds */
export type Judge = (refusal: Refusal, now: number) => Verdict | undefined;

/** No to one request, such as 404. The caller knows what that means; its message holds no word of the provider. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly status: number;
  readonly json: unknown;
  constructor(provider: string, { status, json }: Refusal) {
    super(`${provider} answers ${status}`);
    [this.status, this.json] = [status, json];
  }
}

/**
 * The verdict by status alone. Only 401 surely concerns credentials: 403 may mean one item that they may not see, or a limit.
 * @param sentSecret whether the request proved who asks
 */
export const usualVerdict = (
  name: string,
  { status, header }: Refusal,
  sentSecret: boolean,
  now: number,
): Verdict => {
  const asked = askedToWait(header, now);
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
