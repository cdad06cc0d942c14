import type { Dispatcher } from 'undici';
import { SourceAway } from '../../application/sources/ingestion/listed/listed-source.ts';
import { type Answer, bytesOf, jsonOf } from './answer.ts';
import type { ProviderRequest } from './follow.ts';
import type { Judge } from './refusal.ts';
import { retryDelay, type RetryPolicy } from './retry-policy.ts';
import { tryOnce } from './try-once.ts';

export interface ProviderClientOptions {
  /** As errors call it: `the repository host`. */
  readonly name: string;
  /** Guarded, so that redirects lead to public addresses alone. */
  readonly dispatcher: Dispatcher;
  /** How long nothing may come before a try ends. */
  readonly silenceMs: number;
  /** For one try, from the request to the end of the body. */
  readonly wholeMs: number;
  readonly retry: RetryPolicy;
  /** What the provider asks to wait in all, for one request: beyond, the job gives its worker back. */
  readonly longestWaitMs: number;
  /** Taken where it asks to wait and does not say how long. */
  readonly unsaidWaitMs: number;
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
   * @throws SourceAway when all tries are used up (`oneRequest`: it is there, but does not answer this one), or, with
   * `notBefore`, when it asks for a longer wait. No message holds what was sent, or a word of the provider
   * @throws the reason of `signal` once it aborts, AnswerTooLarge, and what `read` throws
   */
  readonly ask: <T>(
    request: ProviderRequest,
    read: (answer: Answer) => Promise<T>,
    signal: AbortSignal,
  ) => Promise<T>;
  /** `ask` for the JSON of the answer. `take` throws Unusable for JSON that is no answer. */
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
        pause.until = Math.max(pause.until, options.now() + (outcome.ms ?? options.unsaidWaitMs));
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
      throw new SourceAway(`${name} asks to wait for ${Math.ceil(ms / 1000)} s`, { notBefore: now() + ms });
    }
    await sleep(ms, signal);
    // Whatever the clock says: the wait is over.
    if (now() < pause.until) pause.until = now();
  };
};
