import type { Dispatcher } from 'undici';
import { ProviderError } from '../../../../application/ports/language-model.ts';
import { type Censor, failedConnection, refusedRequest, unreadable } from '../provider/failure.ts';
import { headerOf, mediaType, MOST_ERROR_BYTES, post, textOf } from '../provider/http.ts';
import type { ProviderLimits } from '../provider/limits.ts';
import { askedToWait } from '../../../http-client/retry-policy.ts';
import { askedInBody, reportedBy } from './reported-error.ts';

export interface FetchOptions extends Pick<ProviderLimits, 'connectMs' | 'maxBytes'> {
  /** Media type of the answers. The SDK does not look, and takes what it cannot read for an answer that broke off. */
  readonly answers: string;
  readonly censor: Censor;
}

/**
 * What the SDK's packages send their requests with, in place of the global `fetch`: over connections of our own, which
 * an abort closes, without redirects and compression. It resolves only for the status 200: what a provider refuses or
 * a connection breaks is thrown as the port's error, before the SDK can word it.
 */
export const createProviderFetch =
  (dispatcher: Dispatcher, { answers, censor, ...limits }: FetchOptions): typeof fetch =>
  async (input, init) => {
    const { signal = null, body } = init ?? {};
    if (typeof body !== 'string')
      throw new TypeError('the package of the provider sends a body that is no text');
    try {
      const url = new URL(input instanceof Request ? input.url : input);
      const headers = Object.fromEntries(new Headers(init?.headers));
      const answer = await post(dispatcher, { url, headers, body }, signal);
      const header = headerOf(answer);
      if (answer.statusCode !== 200) {
        const text = await textOf(answer.body, MOST_ERROR_BYTES).catch(() => '');
        const waitMs = askedToWait(header, Date.now()) || askedInBody(text);
        throw refusedRequest(answer.statusCode, reportedBy(header, text), waitMs, censor);
      }
      const type = mediaType(header('content-type'));
      if (type === 'text/html') throw unreadable('a web page in place of an answer');
      if (type !== answers) throw unreadable('an answer that is no stream of events');
      const stream = ReadableStream.from(metered(answer.body, limits));
      return new Response(stream);
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof ProviderError ? error : failedConnection(error, limits.connectMs);
    }
  };

async function* metered(
  body: AsyncIterable<Uint8Array>,
  { connectMs, maxBytes }: Pick<ProviderLimits, 'connectMs' | 'maxBytes'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  try {
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes > maxBytes) throw unreadable(`an answer of over ${maxBytes} bytes`);
      yield piece;
    }
  } catch (error) {
    throw error instanceof ProviderError ? error : failedConnection(error, connectMs);
  }
}
