import { DomainError } from '../../domain/shared/domain-error.ts';
import { ConcurrencyConflict, EventStoreUnavailable, OutcomeUnknown } from '../ports/event-store.ts';
import { FileStoreUnavailable } from '../ports/file-store.ts';
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
