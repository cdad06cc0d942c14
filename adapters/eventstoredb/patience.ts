import { type Pauses, pause } from '../event-feed/follow.ts';
import { failureOf, isPassing, tooLate, unavailable } from './failures.ts';
import type { Failure } from './failures.ts';

/** How long things may take, in milliseconds. */
export interface Patience extends Pauses {
  /** One call, from its request to its whole answer; reads of long stretches get more. */
  readonly callMs: number;
  /** How often a call without an answer is made before its caller hears of it. */
  readonly tries: number;
  /** For how long a store that cannot be reached, or has no leader, is tried before its caller hears of it. */
  readonly outageMs: number;
  /** How often the end of the log is looked at, should no wake-up come. */
  readonly pollMs: number;
}

export const PATIENCE: Patience = {
  callMs: 3_000,
  tries: 2,
  // An election takes seconds; callers over HTTP wait with us.
  outageMs: 4_000,
  pauseMs: 100,
  longestPauseMs: 5_000,
  pollMs: 500,
};

/** Rejects after `ms`, whatever becomes of `work`: the client waits for ever where it has no deadline of its own. */
export const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate(ms)), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Whether to try once more, told of each passing failure. Begins to count when it is made. */
export const lenience = ({ tries, outageMs }: Patience): ((failure: Failure) => boolean) => {
  const began = performance.now();
  let unanswered = 0;
  return ({ kind }) => {
    if (kind === 'not_done') return performance.now() - began < outageMs;
    unanswered += 1;
    return unanswered < tries;
  };
};

/**
 * Tries a read again while a retry may mend it.
 *
 * @throws EventStoreUnavailable when it did not, or the user may not read; anything else as it came
 */
export const patiently = async <T>(patience: Patience, work: () => Promise<T>): Promise<T> => {
  const mayTry = lenience(patience);
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === 'refused') throw unavailable(failure, error);
      if (!isPassing(failure)) throw error;
      if (!mayTry(failure)) throw unavailable(failure, error);
      await pause(patience, failures);
    }
  }
};
