import {
  SourceUnavailable,
  SourceRefused,
} from '../../application/sources/ingestion/listed/listed-source.ts';
import {
  type ProviderResponse,
  ConnectionBroken,
  type Judge,
  type Refusal,
  RequestRefused,
  InvalidResponse,
  bytesOf,
  jsonOf,
  usualVerdict,
} from './provider-response.ts';
import { type ProviderRequest, follow } from './follow.ts';
import { type RetryPolicy, connectionFault, retryDelay } from './retry.ts';
import type { Dispatcher } from 'undici';

export interface ProviderClientOptions {
  /** Name for error messages, for example `the repository host`. */
  readonly name: string;
  /** A guarded agent, so that redirects lead only to public addresses. */
  readonly dispatcher: Dispatcher;
  /** Maximum silence before an attempt fails. */
  readonly idleTimeoutMs: number;
  /** Timeout of one attempt, from the request to the end of the body. */
  readonly attemptTimeoutMs: number;
  readonly retry: RetryPolicy;
  /** Total time that the provider may ask one request to wait; beyond it, the job releases its worker. */
  readonly maxWaitMs: number;
  /** Delay when the provider asks to wait without saying how long. */
  readonly defaultWaitMs: number;
  readonly judge?: Judge;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** In [0, 1): spreads the delays between attempts. */
  readonly random?: () => number;
}

/** The HTTP client of one provider, one per job: a wait that the provider demands delays all requests of the client. */
export interface ProviderClient {
  /**
   * Sends a request, passes the response to `read`, and returns its result. Retries errors of the connection and of the
   * provider, including a body that breaks off; `read` then starts again. Sleeps for short waits that the provider asks
   * for.
   *
   * @throws RequestRefused when the provider refuses this request
   * @throws SourceRefused when it would refuse any request
   * @throws SourceUnavailable when all attempts failed (`oneRequest`: the provider is reachable but does not answer
   * this request), or, with `notBefore`, when it asks for a longer wait. No message contains what was sent, or a word
   * of the provider
   * @throws the reason of `signal` once it aborts, ResponseTooLarge, and what `read` throws
   */
  readonly ask: <T>(
    request: ProviderRequest,
    read: (response: ProviderResponse) => Promise<T>,
    signal: AbortSignal,
  ) => Promise<T>;
  /** Like `ask`, for a JSON response. `take` throws InvalidResponse when the JSON is not what the API promises. */
  readonly json: <T>(request: ProviderRequest, take: (json: unknown) => T, signal: AbortSignal) => Promise<T>;
  readonly bytes: (request: ProviderRequest, signal: AbortSignal) => Promise<Buffer>;
}

export const createProviderClient = (options: ProviderClientOptions): ProviderClient => {
  // A wait that the provider demands applies to all requests meanwhile.
  const pause = { until: 0 };
  const ask: ProviderClient['ask'] = async (request, read, signal) => {
    const wait = waiting(options, pause, signal);
    for (let attempt = 1; ;) {
      signal.throwIfAborted();
      await wait(pause.until - options.now());
      const outcome = await tryOnce(options, request, read, signal);
      signal.throwIfAborted();
      if (outcome.kind === 'done') return outcome.value;
      if (outcome.kind === 'wait') {
        pause.until = Math.max(pause.until, options.now() + (outcome.ms ?? options.defaultWaitMs));
        continue;
      }
      const delay = retryDelay(options.retry, attempt, 0, (options.random ?? Math.random)());
      if (delay === null || !outcome.isTransient) throw outcome.error;
      await options.sleep(delay, signal);
      attempt += 1;
    }
  };
  return {
    ask,
    json: (request, take, signal) =>
      ask(jsonRequest(request), async (response) => take(await jsonOf(response)), signal),
    bytes: (request, signal) => ask(request, bytesOf, signal),
  };
};

const jsonRequest = (request: ProviderRequest): ProviderRequest => ({
  ...request,
  headers: { accept: 'application/json', ...request.headers },
});

/** Sleeps on behalf of one request, up to its total waiting time. */
const waiting = (
  { name, maxWaitMs, now, sleep }: ProviderClientOptions,
  pause: { until: number },
  signal: AbortSignal,
) => {
  let waited = 0;
  return async (ms: number): Promise<void> => {
    if (ms <= 0) return;
    waited += ms;
    if (waited > maxWaitMs) {
      throw new SourceUnavailable(`${name} asks to wait for ${Math.ceil(ms / 1000)} s`, {
        notBefore: now() + ms,
      });
    }
    await sleep(ms, signal);
    // The wait is over, even if the clock disagrees.
    if (now() < pause.until) pause.until = now();
  };
};

type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'wait'; readonly ms: number | null }
  | { readonly kind: 'fault'; readonly error: SourceUnavailable; readonly isTransient: boolean };

/** See `ProviderClient.ask`. @throws RequestRefused, SourceRefused, the reason of `caller`, and what `read` throws */
const tryOnce = async <T>(
  options: ProviderClientOptions,
  request: ProviderRequest,
  read: (response: ProviderResponse) => Promise<T>,
  caller: AbortSignal,
): Promise<Outcome<T>> => {
  const cancellation = new AbortController();
  const time = AbortSignal.timeout(options.attemptTimeoutMs);
  try {
    const response = await follow(
      options,
      request,
      AbortSignal.any([caller, time, cancellation.signal]),
    ).catch((error: unknown) => {
      throw error instanceof SourceRefused || error instanceof InvalidResponse
        ? error
        : new NoResponse(error);
    });
    if (isSuccess(request, response)) return { kind: 'done', value: await read(response) };
    return verdictOn(options, request, await refusalOf(response));
  } catch (error) {
    caller.throwIfAborted();
    return faultIn(options, error, time.aborted);
  } finally {
    // A body that `read` has not consumed is discarded.
    cancellation.abort(RESPONSE_READ);
  }
};

/** One shared error: creating an error with a stack trace for each request costs more than the abort. */
const RESPONSE_READ = new Error('the response has been read');

/** No response was received. */
class NoResponse extends Error {
  override readonly name = 'NoResponse';
  constructor(cause: unknown) {
    super('no response was received', { cause });
  }
}

const isSuccess = ({ takes }: ProviderRequest, { status }: ProviderResponse): boolean =>
  (status >= 200 && status < 300) || takes?.includes(status) === true;

const faultIn = ({ name }: ProviderClientOptions, error: unknown, timeIsUp: boolean): Outcome<never> => {
  const fault = (what: string, oneRequest: boolean, isTransient = true): Outcome<never> => ({
    kind: 'fault',
    error: new SourceUnavailable(`${name} ${what}`, { oneRequest }),
    isTransient,
  });
  if (error instanceof InvalidResponse) return fault(error.message, true);
  if (!(error instanceof NoResponse || error instanceof ConnectionBroken)) throw error;
  const { word, isTransient } = connectionFault(error.cause);
  if (timeIsUp || word === 'UND_ERR_HEADERS_TIMEOUT' || word === 'UND_ERR_BODY_TIMEOUT')
    return fault('does not respond in time', true);
  if (error instanceof ConnectionBroken) return fault(`broke off its response: ${word}`, true);
  if (word === 'ADDRESS_NOT_ALLOWED') {
    const message = `${name} is at, or leads to, an address that is not public and that the operator has not allowed`;
    throw new SourceRefused('address_not_allowed', 'Address not allowed', message);
  }
  return fault(`cannot be reached: ${word}`, false, isTransient);
};

const verdictOn = (
  { name, judge, now }: ProviderClientOptions,
  { secretHeaders = {} }: ProviderRequest,
  refusal: Refusal,
): Outcome<never> => {
  const sentSecret = Object.keys(secretHeaders).length > 0;
  const verdict = judge?.(refusal, now()) ?? usualVerdict(name, refusal, sentSecret, now());
  switch (verdict.kind) {
    case 'wait':
      return verdict;
    case 'fault': {
      const error = new SourceUnavailable(`${name} answers ${refusal.status}`, { oneRequest: true });
      return { kind: 'fault', error, isTransient: true };
    }
    case 'refused':
      throw verdict.error;
    case 'no':
      throw new RequestRefused(name, refusal);
  }
};

const MAX_REFUSAL_BYTES = 64 * 1024;

/** Reads the first bytes of the body, as far as they arrive; a refusal is valid without them. */
const refusalOf = async ({ status, header, body }: ProviderResponse): Promise<Refusal> => {
  const parts: Uint8Array[] = [];
  try {
    let bytes = 0;
    for await (const part of body) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= MAX_REFUSAL_BYTES) break;
    }
  } catch {
    // What has arrived so far is used.
  }
  const text = Buffer.concat(parts).subarray(0, MAX_REFUSAL_BYTES).toString('utf8');
  return { status, header, text, json: jsonIn(text) };
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
