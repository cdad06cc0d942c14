import { setTimeout as sleep } from 'node:timers/promises';

/** Time as the crawler uses it, so that tests can pass their own. */
export interface Timer {
  /** Milliseconds from an arbitrary origin; never goes back. */
  readonly now: () => number;
  /** Rejects with the reason of `signal` when it aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const systemTimer: Timer = {
  now: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted(); // node:timers wraps the reason in an AbortError of its own
      throw error;
    }
  },
};
