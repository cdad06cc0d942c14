import { EventStoreUnavailable } from '../../application/ports/event-store.ts';
import { type Pauses, pause } from '../event-feed/follow.ts';
import { failureOf, isTransient, tooLate, unavailable } from './failures.ts';
import type { Failure } from './failures.ts';

/** How long things may take, in milliseconds. */
export interface Patience extends Pauses {
  /** An append, from its request to its answer; a read from one event to the next. Long searches get more. */
  readonly callMs: number;
  /** A connection, from its beginning to its first answer. */
  readonly connectMs: number;
  /** How often a call without an answer is made before its caller hears of it. */
  readonly tries: number;
  /** For how long a store that cannot be reached, or has no leader, is tried before its caller hears of it. */
  readonly outageMs: number;
  /** After which an append is not tried again and a look at what was kept is given up, whatever went wrong before. */
  readonly totalMs: number;
  /** How often the end of the log is looked at, should no wake-up come. */
  readonly pollMs: number;
  /** How long what was acknowledged may take to come by the subscription, before it is read. As a rule it is as quick. */
  readonly arrivalMs: number;
}

export const PATIENCE: Patience = {
  callMs: 2_000,
  connectMs: 2_000,
  tries: 2,
  // An election takes seconds, and callers over HTTP wait with us: with a connection in vain they hear of it within five.
  outageMs: 3_000,
  totalMs: 4_500,
  pauseMs: 100,
  longestPauseMs: 5_000,
  pollMs: 500,
  arrivalMs: 50,
};

/** The time that one operation has. */
export interface Allowance {
  /** Milliseconds that are left; never below 0. */
  readonly left: () => number;
  /** Whether to try once more, told of each transient failure. */
  readonly mayTry: (failure: Failure) => boolean;
}

/** Begins to count when it is made. */
export const allowanceOf = ({ tries, outageMs, totalMs }: Patience): Allowance => {
  const began = performance.now();
  const spent = (): number => performance.now() - began;
  let unanswered = 0;
  return {
    left: () => Math.max(0, totalMs - spent()),
    mayTry: ({ kind }) => {
      if (kind === 'not_done') return spent() < Math.min(outageMs, totalMs);
      unanswered += 1;
      return unanswered < tries && spent() < totalMs;
    },
  };
};

/** Rejects after `ms`, whatever becomes of `work`. */
export const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate(Math.round(ms))), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Tries a read again while a retry may mend it.
 *
 * @throws EventStoreUnavailable when it did not, or the user may not read; anything else as it came
 */
export const patiently = async <T>(patience: Patience, work: () => Promise<T>): Promise<T> => {
  const { mayTry } = allowanceOf(patience);
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof EventStoreUnavailable) throw error;
      const failure = failureOf(error);
      if (failure.kind === 'refused') throw unavailable(failure, error);
      if (!isTransient(failure)) throw error;
      if (!mayTry(failure)) throw unavailable(failure, error);
      await pause(patience, failures);
    }
  }
};
