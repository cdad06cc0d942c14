import pg from 'pg';
import {
  EventStoreUnavailable,
  InvalidEvent,
  OutcomeUnknown,
} from '../../../application/ports/event-store.ts';

/** SQLSTATE of an error that the server sent, or null: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const stateOf = (error: unknown): string | null =>
  error instanceof pg.DatabaseError ? (error.code ?? null) : null;

const DISK_FULL = '53100';

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Another transaction was faster (unique violation), or the two stood in each other's way: nothing was written. */
export const lostRace = (error: unknown): boolean => /^(23505|40)/.test(stateOf(error) ?? '');

/** The server could not be reached, so nothing was sent. */
export const unreachable = (error: unknown): EventStoreUnavailable =>
  new EventStoreUnavailable(`the event store cannot be reached: ${message(error)}`, { cause: error });

/** What an error that answered a sent append means for its caller, in the words of the port. */
export const appendFailure = (error: unknown): unknown => {
  const state = stateOf(error);
  if (state === null) {
    return new OutcomeUnknown(`the answer of the event store was lost: ${message(error)}`, { cause: error });
  }
  // A session that is ended may be so just after its commit; a refused, cancelled or lost statement wrote nothing.
  if (/^(08|57P01|57P02|57P05)/.test(state)) {
    return new OutcomeUnknown(`the event store ended the session: ${message(error)}`, { cause: error });
  }
  if (state === DISK_FULL) {
    const told = `the disk of the event store is full: ${message(error)}`;
    return new EventStoreUnavailable(told, { cause: error, reason: 'full' });
  }
  if (/^(40|53|55|57|25006)/.test(state)) return unreachable(error);
  if (state === '23505') return new InvalidEvent('an event id is recorded elsewhere', { cause: error });
  return error;
};
