import { setTimeout as sleep } from 'node:timers/promises';
import {
  ProviderError,
  ProviderTimeout,
  type ModelEvent,
} from '../../../../application/ports/language-model.ts';
import { DEFAULT_RETRY_POLICY, type RetryPolicy, retryDelay } from '../../../http-client/retry-policy.ts';

export interface RetryOptions {
  readonly retry?: RetryPolicy;
  /** Waits between tries; rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** In [0, 1): spreads the delays between tries. */
  readonly random?: () => number;
}

/** The events of the first try that does not fail before its first event; later failures are thrown. */
export async function* retrying(
  tryOnce: () => AsyncIterable<ModelEvent>,
  { retry = DEFAULT_RETRY_POLICY, sleep: pause = systemSleep, random = Math.random }: RetryOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  for (let tried = 1; ; tried += 1) {
    signal.throwIfAborted();
    let begun = false;
    try {
      for await (const event of tryOnce()) {
        signal.throwIfAborted();
        begun = true;
        yield event;
      }
      return;
    } catch (error) {
      const askedMs = error instanceof ProviderError ? error.retryAfterMs : 0;
      const delay = begun || !isTransient(error) ? null : retryDelay(retry, tried, askedMs, random());
      if (delay === null) throw error;
      await pause(delay, signal);
    }
  }
}

/** A try that used up its time is not repeated; one that never connected is. */
const isTransient = (error: unknown): boolean =>
  (error instanceof ProviderError && error.retryable) ||
  (error instanceof ProviderTimeout && error.waitingFor === 'connection');

const systemSleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted(); // node:timers wraps the reason in an AbortError of its own
    throw error;
  }
};
