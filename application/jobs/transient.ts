import { DomainError } from '../../domain/shared/domain-error.ts';
import {
  ConcurrencyConflict,
  type EventStore,
  EventStoreUnavailable,
  OutcomeUnknown,
  type RetryingEventStore,
} from '../ports/event-store.ts';
import { FileStoreUnavailable } from '../ports/file-store.ts';
import type { Logger } from '../ports/logger.ts';
import { ReadModelsBehind } from '../ports/read-gate.ts';

/** Whether a retry may succeed without intervention: a store is unavailable, full, behind or overloaded. */
export type IsTransient = (error: unknown) => boolean;

const TRANSIENT = [
  EventStoreUnavailable,
  OutcomeUnknown,
  ConcurrencyConflict,
  FileStoreUnavailable,
  ReadModelsBehind,
] as const;

/**
 * Decides by the error types of the ports, never by messages. `ofDatabase` judges errors of the database, for which the
 * ports have no types.
 */
export const createIsTransient =
  (ofDatabase: IsTransient): IsTransient =>
  (error) =>
    TRANSIENT.some((type) => error instanceof type) ||
    // A newer version of the program wrote to the stream; it resolves when the running upgrade completes.
    (error instanceof DomainError && error.code === 'unavailable') ||
    ofDatabase(error);

export interface RetryingDeps {
  readonly store: EventStore;
  /** Waits, or returns early when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: Logger;
  /** Ends all waiting; calls then throw their last error. */
  readonly signal: AbortSignal;
}

const FIRST_MS = 200;
const LONGEST_MS = 5_000;
/** Limit on the total pause of one call. */
const LIMIT_MS = 15 * 60_000;

/**
 * An event store for work that can wait. While the store is unavailable, calls are retried with growing pauses for up
 * to a quarter of an hour, so that a job pauses and continues when the store returns. Retrying is safe: an append has
 * the same event ids each time, which the store recognises at an exact revision.
 */
export const createRetryingEventStore = ({ store, sleep, log, signal }: RetryingDeps): RetryingEventStore => {
  const retried = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
    for (let pause = FIRST_MS, waited = 0; ; pause = Math.min(2 * pause, LONGEST_MS)) {
      try {
        return await call();
      } catch (error) {
        const isUnavailable = error instanceof EventStoreUnavailable || error instanceof OutcomeUnknown;
        if (!isUnavailable || signal.aborted || waited >= LIMIT_MS) throw error;
        log.warn('waiting for the event store', { what, wait: pause, error: error.message });
      }
      await sleep(pause, signal);
      waited += pause;
    }
  };
  return {
    retrying: true,
    append: (stream, expected, events) =>
      retried(`append to ${stream}`, () => store.append(stream, expected, events)),
    readStream: (stream, from, limit) =>
      retried(`read ${stream}`, () => store.readStream(stream, from, limit)),
  };
};
