import {
  SourceUnavailable,
  SourceRefused,
} from '../../application/sources/ingestion/listed/listed-source.ts';
import {
  type Answer,
  BrokenOff,
  type Judge,
  type Refusal,
  RequestRefused,
  InvalidResponse,
  bytesOf,
  jsonOf,
  usualVerdict,
} from './answer.ts';
import { type ProviderRequest, follow } from './follow.ts';
import { type RetryPolicy, connectionFault, retryDelay } from './retry.ts';
import type { Dispatcher } from 'undici';

export interface ProviderClientOptions {
  /** As errors call it: `the repository host`. */
  readonly name: string;
  /** Guarded, so that redirects lead to public addresses alone. */
  readonly dispatcher: Dispatcher;
  /** How long nothing may come before a try ends. */
  readonly idleTimeoutMs: number;
  /** For one try, from the request to the end of the body. */
  readonly wholeMs: number;
  readonly retry: RetryPolicy;
  /** What the provider asks to wait in all, for one request: beyond, the job gives its worker back. */
  readonly longestWaitMs: number;
  /** Taken where it asks to wait and does not say how long. */
  readonly defaultWaitMs: number;
  readonly judge?: Judge;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** In [0, 1): spreads the delays between tries. */
  readonly random?: () => number;
}

/** What connectors ask their provider by. */
export interface ProviderClient {
  /**
   * Sends a request and hands the answer to `read`, whose outcome it answers. Faults of the connection and of the
   * provider are tried again, with `read` from its beginning, also those that break off the body. Short waits that the
   * provider asks for are slept.
   *
   * @throws RequestRefused where the answer is no, to this request alone
   * @throws SourceRefused where it would be no to any
   * @throws SourceUnavailable when all tries are used up (`oneRequest`: it is there, but does not answer this one), or, with
   * `notBefore`, when it asks for a longer wait. No message holds what was sent, or a word of the provider
   * @throws the reason of `signal` once it aborts, ResponseTooLarge, and what `read` throws
   */
  readonly ask: <T>(
    request: ProviderRequest,
    read: (answer: Answer) => Promise<T>,
    signal: AbortSignal,
  ) => Promise<T>;
  /** `ask` for the JSON of the answer. `take` throws InvalidResponse for JSON that is no answer. */
  readonly json: <T>(request: ProviderRequest, take: (json: unknown) => T, signal: AbortSignal) => Promise<T>;
  readonly bytes: (request: ProviderRequest, signal: AbortSignal) => Promise<Buffer>;
}

export const createProviderClient = (options: ProviderClientOptions): ProviderClient => {
  // What one request is told holds for those that are sent meanwhile.
  const pause = { until: 0 };
  const ask: ProviderClient['ask'] = async (request, read, signal) => {
    const wait = waiting(options, pause, signal);
    for (let tried = 1; ;) {
      signal.throwIfAborted();
      await wait(pause.until - options.now());
      const outcome = await tryOnce(options, request, read, signal);
      signal.throwIfAborted();
      if (outcome.kind === 'done') return outcome.value;
      if (outcome.kind === 'wait') {
        pause.until = Math.max(pause.until, options.now() + (outcome.ms ?? options.defaultWaitMs));
        continue;
      }
      const delay = retryDelay(options.retry, tried, 0, (options.random ?? Math.random)());
      if (delay === null || !outcome.isTransient) throw outcome.error;
      await options.sleep(delay, signal);
      tried += 1;
    }
  };
  return {
    ask,
    json: (request, take, signal) =>
      ask(jsonRequest(request), async (answer) => take(await jsonOf(answer)), signal),
    bytes: (request, signal) => ask(request, bytesOf, signal),
  };
};

const jsonRequest = (request: ProviderRequest): ProviderRequest => ({
  ...request,
  headers: { accept: 'application/json', ...request.headers },
});

/** Sleeps for a request as long as it may wait in all. */
const waiting = (
  { name, longestWaitMs, now, sleep }: ProviderClientOptions,
  pause: { until: number },
  signal: AbortSignal,
) => {
  let waited = 0;
  return async (ms: number): Promise<void> => {
    if (ms <= 0) return;
    waited += ms;
    if (waited > longestWaitMs) {
      throw new SourceUnavailable(`${name} asks to wait for ${Math.ceil(ms / 1000)} s`, {
        notBefore: now() + ms,
      });
    }
    await sleep(ms, signal);
    // Whatever the clock says: the wait is over.
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
  read: (answer: Answer) => Promise<T>,
  caller: AbortSignal,
): Promise<Outcome<T>> => {
  const over = new AbortController();
  const time = AbortSignal.timeout(options.wholeMs);
  try {
    const answer = await follow(options, request, AbortSignal.any([caller, time, over.signal])).catch(
      (error: unknown) => {
        throw error instanceof SourceRefused || error instanceof InvalidResponse
          ? error
          : new Unanswered(error);
      },
    );
    if (isAnswer(request, answer)) return { kind: 'done', value: await read(answer) };
    return verdictOn(options, request, await refusalOf(answer));
  } catch (error) {
    caller.throwIfAborted();
    return faultIn(options, error, time.aborted);
  } finally {
    // Whoever has not read the body does not want it.
    over.abort(OVER);
  }
};

/** Made once: the error that would be made for each request, with the stack of its calls, costs more than its abort. */
const OVER = new Error('the answer has been read');

/** No answer came. */
class Unanswered extends Error {
  override readonly name = 'Unanswered';
  constructor(cause: unknown) {
    super('no answer came', { cause });
  }
}

const isAnswer = ({ takes }: ProviderRequest, { status }: Answer): boolean =>
  (status >= 200 && status < 300) || takes?.includes(status) === true;

const faultIn = ({ name }: ProviderClientOptions, error: unknown, timeIsUp: boolean): Outcome<never> => {
  const fault = (what: string, oneRequest: boolean, isTransient = true): Outcome<never> => ({
    kind: 'fault',
    error: new SourceUnavailable(`${name} ${what}`, { oneRequest }),
    isTransient,
  });
  if (error instanceof InvalidResponse) return fault(error.message, true);
  if (!(error instanceof Unanswered || error instanceof BrokenOff)) throw error;
  const { word, isTransient } = connectionFault(error.cause);
  if (timeIsUp || word === 'UND_ERR_HEADERS_TIMEOUT' || word === 'UND_ERR_BODY_TIMEOUT')
    return fault('does not answer in time', true);
  if (error instanceof BrokenOff) return fault(`broke off its answer: ${word}`, true);
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

/** The first of its body, as much as comes: a refusal is one without it too. */
const refusalOf = async ({ status, header, body }: Answer): Promise<Refusal> => {
  const parts: Uint8Array[] = [];
  try {
    let bytes = 0;
    for await (const part of body) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= MAX_REFUSAL_BYTES) break;
    }
  } catch {
    // What came by then has to do.
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
