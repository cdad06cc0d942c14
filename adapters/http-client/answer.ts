import type { Dispatcher } from 'undici';
import { Unusable } from './ask.ts';
import { connectionFault } from './transient.ts';

/** An answer whose body has not come yet. */
export interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | null;
  /** What answered: another one than was asked, after redirects. */
  readonly url: URL;
  /** Once, up to the bytes that the request allows. @throws AnswerTooLarge; other errors are for the client */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The body is larger than the request allows: asking again would not help. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`the answer has more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
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
      if (bytes > maxBytes) throw new AnswerTooLarge(maxBytes);
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

/** @throws Unusable for what is no JSON */
export const jsonOf = async (answer: Pick<Answer, 'body'>): Promise<unknown> => {
  const text = (await bytesOf(answer)).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new Unusable('sent something else than JSON');
  }
};
