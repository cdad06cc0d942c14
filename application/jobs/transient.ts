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

/** Whether the same may succeed later without anybody changing a thing: a store is away, full, behind or too busy. */
export type IsTransient = (error: unknown) => boolean;

const TRANSIENT = [
  EventStoreUnavailable,
  OutcomeUnknown,
  ConcurrencyConflict,
  FileStoreUnavailable,
  ReadModelsBehind,
] as const;

/**
 * Goes by the types of error that the ports name, never by their wording. `ofDatabase` judges what the database throws
 * through the ports that stand on it, which name no types of their own.
 */
export const createIsTransient =
  (ofDatabase: IsTransient): IsTransient =>
  (error) =>
    TRANSIENT.some((type) => error instanceof type) ||
    // A newer version of the program wrote to the stream: the upgrade under way ends that.
    (error instanceof DomainError && error.code === 'unavailable') ||
    ofDatabase(error);

export interface RetryingDeps {
  readonly store: EventStore;
  /** Waits, or returns early when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: Logger;
  /** Ends all waiting: the error that was waited out is thrown then. */
  readonly signal: AbortSignal;
}

const FIRST_MS = 200;
const LONGEST_MS = 5_000;
/** How long one call is tried, by the sum of its pauses. */
const LIMIT_MS = 15 * 60_000;

/**
 * An event store for work that can wait: while the store is away, calls are repeated with growing pauses, up to a
 * quarter of an hour, so that a job stands still and goes on when the store returns. Repeating is safe: an append
 * carries the same event ids each time, which the store recognises at an exact revision.
 */
export const createRetryingEventStore = ({ store, sleep, log, signal }: RetryingDeps): RetryingEventStore => {
  const retried = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
    for (let pause = FIRST_MS, waited = 0; ; pause = Math.min(2 * pause, LONGEST_MS)) {
      try {
        return await call();
      } catch (error) {
        const away = error instanceof EventStoreUnavailable || error instanceof OutcomeUnknown;
        if (!away || signal.aborted || waited >= LIMIT_MS) throw error;
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
