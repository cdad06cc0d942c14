import { EventStoreUnavailable } from '../../application/ports/event-store.ts';
import { type Pauses, pause } from '../event-feed/follow.ts';
import { type Failure, failureOf, isTransient, timedOut, unavailable } from './errors.ts';

/** Time limits, in milliseconds. */
export interface Deadlines extends Pauses {
  /** An append, from its request to its answer; a read from one event to the next. Long searches get more. */
  readonly callMs: number;
  /** A connection, from its beginning to its first answer. */
  readonly connectMs: number;
  /** Calls without an answer before the caller hears of it. */
  readonly attempts: number;
  /** A store that cannot be reached, or has no leader, is tried for so long before the caller hears of it. */
  readonly outageMs: number;
  /** After it an append is not repeated and the search for its events is given up, whatever failed before. */
  readonly totalMs: number;
  /** Between two looks at the end of the log, should no wake-up come. */
  readonly pollMs: number;
  /** Time for an acknowledged event to arrive by the subscription, before it is read. As a rule it is as quick. */
  readonly arrivalMs: number;
}

export const DEADLINES: Deadlines = {
  callMs: 2_000,
  connectMs: 2_000,
  attempts: 2,
  // An election takes seconds, and callers over HTTP wait meanwhile: with a failed connection they hear of it within five.
  outageMs: 3_000,
  totalMs: 4_500,
  pauseMs: 100,
  longestPauseMs: 5_000,
  pollMs: 500,
  arrivalMs: 50,
};

/** The time of one operation. */
export interface TimeBudget {
  /** Milliseconds that are left; never below 0. */
  readonly left: () => number;
  /** Whether to try again; to be told of each transient failure. */
  readonly mayRetry: (failure: Failure) => boolean;
}

/** Begins to count when it is made. */
export const startBudget = ({ attempts, outageMs, totalMs }: Deadlines): TimeBudget => {
  const began = performance.now();
  const spent = (): number => performance.now() - began;
  let unanswered = 0;
  return {
    left: () => Math.max(0, totalMs - spent()),
    mayRetry: ({ kind }) => {
      if (kind === 'not_done') return spent() < Math.min(outageMs, totalMs);
      unanswered += 1;
      return unanswered < attempts && spent() < totalMs;
    },
  };
};

/** Rejects after `ms`, whatever becomes of `work`. */
export const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(timedOut(Math.round(ms))), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Repeats a read while a retry may help.
 *
 * @throws EventStoreUnavailable when it did not, or the user may not read; anything else as it came
 */
export const withRetries = async <T>(deadlines: Deadlines, work: () => Promise<T>): Promise<T> => {
  const { mayRetry } = startBudget(deadlines);
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof EventStoreUnavailable) throw error;
      const failure = failureOf(error);
      const isFinal = failure.kind !== 'refused' && !isTransient(failure);
      if (isFinal) throw error;
      if (failure.kind === 'refused' || !mayRetry(failure)) throw unavailable(failure, error);
      await pause(deadlines, failures);
    }
  }
};
