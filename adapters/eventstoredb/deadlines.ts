import { EventStoreUnavailable } from '../../application/ports/event-store.ts';
import { type Pauses, pause } from '../event-feed/follow.ts';
import { type Failure, failureOf, isTransient, timedOut, unavailable } from './errors.ts';

/** Time limits, in milliseconds. */
export interface Deadlines extends Pauses {
  /**
   * Limit of an append from request to response, and of a read from one event to the next. A read of a
   * long part of the log gets more.
   */
  readonly callMs: number;
  /** Limit of a connection attempt, up to the first response. */
  readonly connectMs: number;
  /** Calls without a response before the caller gets an error. */
  readonly attempts: number;
  /** How long a store that is unreachable or has no leader is retried before the caller gets an error. */
  readonly outageMs: number;
  /**
   * Total limit, after which an append is not repeated and its events are no longer looked for, whatever
   * failed before.
   */
  readonly totalMs: number;
  /** Interval of polls for the end of the log, in case no wake-up comes. */
  readonly pollMs: number;
  /**
   * How long to wait for the subscription to deliver an acknowledged event before reading it from the store.
   * Usually the subscription is as fast as a read.
   */
  readonly arrivalMs: number;
}

export const DEADLINES: Deadlines = {
  callMs: 2_000,
  connectMs: 2_000,
  attempts: 2,
  // HTTP callers wait during an election, which takes seconds. They must get an error within five seconds,
  // including the time of a failed connection.
  outageMs: 3_000,
  totalMs: 4_500,
  pauseMs: 100,
  maxPauseMs: 5_000,
  pollMs: 500,
  arrivalMs: 50,
};

/** The time budget of one operation. */
export interface TimeBudget {
  /** Milliseconds that are left; never below 0. */
  readonly left: () => number;
  /** Whether to retry. Must be called for each transient failure. */
  readonly mayRetry: (failure: Failure) => boolean;
  /** Waits before a retry, at most until the end of the outage that is borne. */
  readonly pause: (failures: number) => Promise<void>;
}

/** The budget starts now. */
export const startBudget = (deadlines: Deadlines): TimeBudget => {
  const { attempts, outageMs, totalMs } = deadlines;
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
    pause: (failures) => {
      const left = Math.max(0, Math.min(outageMs, totalMs) - spent());
      return pause(deadlines, failures, AbortSignal.timeout(Math.ceil(left)));
    },
  };
};

/** Rejects after `ms`, whatever becomes of `work`. */
export const withTimeout = async <T>(
  ms: number,
  work: Promise<T>,
  lateError = () => timedOut(Math.round(ms)),
): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(lateError()), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Repeats a read while a retry may help.
 *
 * @throws EventStoreUnavailable if no retry helped or the user may not read; any other error unchanged
 */
export const withRetries = async <T>(deadlines: Deadlines, work: () => Promise<T>): Promise<T> => {
  const budget = startBudget(deadlines);
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof EventStoreUnavailable) throw error;
      const failure = failureOf(error);
      // Neither a refusal nor transient: passed on unchanged.
      if (failure.kind !== 'refused' && !isTransient(failure)) throw error;
      if (failure.kind === 'refused' || !budget.mayRetry(failure)) throw unavailable(failure, error);
      await budget.pause(failures);
    }
  }
};
