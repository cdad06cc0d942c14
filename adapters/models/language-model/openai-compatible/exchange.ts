import type { Dispatcher } from 'undici';
import { ProviderError, ProviderTimeout } from '../../../../application/ports/language-model.ts';
import { failedConnection, refusedRequest, unreadable } from '../provider/failure.ts';
import type { Censor } from '../provider/failure.ts';
import { headerOf, mediaType, MOST_ERROR_BYTES, post, textOf } from '../provider/http.ts';
import type { Post } from '../provider/http.ts';
import type { ProviderLimits } from '../provider/limits.ts';
import type { Patience } from '../provider/patience.ts';
import { askedToWait } from '../../../http-client/retry-policy.ts';
import { reportedError } from './completion-chunk.ts';
import { createEventStreamReader, EventTooLong } from '../../../http-client/server-sent-events.ts';

export interface ExchangeLimits extends Pick<
  ProviderLimits,
  'connectMs' | 'firstTokenMs' | 'nextTokenMs' | 'totalMs' | 'maxBytes'
> {
  /** Of one event. */
  readonly maxEventCharacters: number;
}

/**
 * One POST: the data of each event of the answer. An answer in JSON, of a server that does not stream, comes as one.
 * The timer of `patience` runs only while the provider is waited for.
 *
 * Throws what the port may throw, or the reason of `patience.signal`. Every way out gives up what is left of the body.
 */
export async function* exchange(
  dispatcher: Dispatcher,
  request: Post,
  limits: ExchangeLimits,
  patience: Patience,
  censor: Censor,
): AsyncGenerator<string, void, undefined> {
  try {
    patience.waitFor('first_token', limits.firstTokenMs);
    const answer = await post(dispatcher, request, patience.signal);
    const header = headerOf(answer);
    if (answer.statusCode !== 200) {
      const text = await textOf(answer.body, MOST_ERROR_BYTES).catch(() => '');
      patience.signal.throwIfAborted();
      throw refusedRequest(answer.statusCode, reportedError(text), askedToWait(header, Date.now()), censor);
    }
    const type = mediaType(header('content-type'));
    if (type === 'application/json') {
      const whole = await textOf(answer.body, limits.maxEventCharacters);
      patience.rest();
      yield whole;
    } else if (type.startsWith('text/html')) throw unreadable('a web page in place of an answer');
    else yield* eventsOf(answer.body, limits, patience);
  } catch (error) {
    patience.signal.throwIfAborted();
    if (error instanceof ProviderError || error instanceof ProviderTimeout) throw error;
    if (error instanceof EventTooLong) throw unreadable(error.message);
    throw failedConnection(error, limits.connectMs);
  }
}

async function* eventsOf(
  body: AsyncIterable<Uint8Array>,
  limits: ExchangeLimits,
  patience: Patience,
): AsyncGenerator<string, void, undefined> {
  const reader = createEventStreamReader(limits.maxEventCharacters);
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > limits.maxBytes) throw unreadable(`an answer of over ${limits.maxBytes} bytes`);
    for (const data of reader.push(piece)) {
      patience.rest();
      yield data;
      patience.waitFor('next_token', limits.nextTokenMs);
    }
  }
  yield* reader.end();
}
