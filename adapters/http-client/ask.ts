import { FormData, type Dispatcher } from 'undici';
import { InvalidResponse, jsonOf, responseOf } from './provider-response.ts';
import { ProviderError, ProviderTimeout } from '../../application/ports/language-model.ts';
import { inRequestSpan } from './trace-headers.ts';
import { type RetryPolicy, serverDelay, connectionFault, isTransientStatus, retryDelay } from './retry.ts';

export interface Provider {
  /** Name for error messages, for example `the web search provider`. */
  readonly name: string;
  readonly dispatcher: Dispatcher;
  readonly url: URL;
  /** Sent as a bearer token. */
  readonly key: string | undefined;
  /** Timeout of one attempt, from the request to the end of the response. */
  readonly timeoutMs: number;
  /** Limit of the response after decompression; no compression is requested. */
  readonly maxBytes: number;
  readonly retry: RetryPolicy;
  /** Whether an attempt that timed out is repeated. Default: false, because a client is waiting. */
  readonly repeatsTimeouts?: boolean;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** In [0, 1): spreads the delays between attempts. */
  readonly random?: () => number;
}

const MAX_ERROR_BYTES = 16 * 1024;

/**
 * Sends a request to a provider over HTTP and returns its JSON as parsed by `read`: a GET, or with `body` a POST of
 * JSON or of a form. Does not follow redirects, because they would take the key along. Retries transient errors within
 * `retry`.
 *
 * @param read throws {@link InvalidResponse} when the JSON is not what the API promises
 * @throws ProviderError, ProviderTimeout, whose messages contain nothing that was sent, and no word of the provider
 * @throws the reason of `signal` once it aborts
 */
export const ask = async <T>(
  provider: Provider,
  body: object | undefined,
  read: (response: unknown) => T,
  signal: AbortSignal,
): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await tryOnce(provider, body, read, signal);
    } catch (error) {
      signal.throwIfAborted();
      const delay = isTransient(provider, error) ? delayAfter(provider, attempt, error) : null;
      if (delay === null) throw error;
      await provider.sleep(delay, signal);
    }
  }
};

const tryOnce = async <T>(
  provider: Provider,
  body: object | undefined,
  read: (response: unknown) => T,
  caller: AbortSignal,
): Promise<T> => {
  const { name, timeoutMs } = provider;
  const time = AbortSignal.timeout(timeoutMs);
  try {
    return read(await exchange(provider, body, AbortSignal.any([caller, time])));
  } catch (error) {
    if (time.aborted) throw new ProviderTimeout('end', timeoutMs, name);
    if (error instanceof ProviderError) throw error;
    if (error instanceof InvalidResponse)
      throw new ProviderError(`${name} ${error.message}`, { retryable: false });
    const { word, isTransient: retryable } = connectionFault(error);
    if (word === 'UND_ERR_CONNECT_TIMEOUT') throw new ProviderTimeout('connection', timeoutMs, name);
    throw new ProviderError(`the connection to ${name} failed: ${word}`, { retryable });
  }
};

const exchange = async (
  { name, dispatcher, url, key, maxBytes }: Provider,
  body: object | undefined,
  signal: AbortSignal,
): Promise<unknown> => {
  const received = await inRequestSpan((traceHeaders) =>
    dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        'user-agent': 'knowledger',
        ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...traceHeaders,
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      signal,
    }),
  );
  const response = responseOf(received, url, maxBytes);
  const { status, header } = response;
  if (status === 200) return jsonOf(response);
  // Not awaited; the signal ends it.
  void received.body.dump({ limit: MAX_ERROR_BYTES, signal }).catch(() => undefined);
  throw new ProviderError(`${name} ${meaningOf(status)}`, {
    status,
    retryable: isTransientStatus(status),
    retryAfterMs: serverDelay(header, Date.now()),
  });
};

const meaningOf = (status: number): string => {
  if (status === 401 || status === 403)
    return `does not accept the request or the service's credentials: it answers ${status}`;
  if (status >= 300 && status < 400) return `sends the service elsewhere: it answers ${status}`;
  return `answers ${status}`;
};

const isTransient = ({ repeatsTimeouts = false }: Provider, error: unknown): boolean =>
  error instanceof ProviderTimeout
    ? repeatsTimeouts || error.waitingFor === 'connection'
    : error instanceof ProviderError && error.retryable;

const delayAfter = ({ retry, random = Math.random }: Provider, attempt: number, error: unknown) =>
  retryDelay(retry, attempt, error instanceof ProviderError ? error.retryAfterMs : 0, random());
