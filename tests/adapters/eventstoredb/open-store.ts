import { vi } from 'vitest';
import { type EventStoreDb, createEventStoreDb } from '../../../adapters/eventstoredb/eventstoredb.ts';
import type { Deadlines } from '../../../adapters/eventstoredb/deadlines.ts';
import { type StandIn, type StandInOptions, startStandIn } from '../../support/eventstoredb/stand-in.ts';

export interface OpenStandIn extends EventStoreDb {
  readonly standIn: StandIn;
}

/** Short enough for tests that wait for a deadline; a poll that comes too late to help any of them. */
export const IMPATIENT: Partial<Deadlines> = {
  callMs: 300,
  totalMs: 10_000,
  attempts: 3,
  outageMs: 200,
  pauseMs: 2,
  maxPauseMs: 20,
  pollMs: 600_000,
};
/** For tests that count calls: a busy machine must not make two of one. */
export const PATIENT: Partial<Deadlines> = { callMs: 15_000, totalMs: 60_000, arrivalMs: 600_000 };

/** A stand-in and the adapter on it. `close` ends both. */
export const openStandIn = async (
  options: StandInOptions = {},
  deadlines: Partial<Deadlines> = {},
): Promise<OpenStandIn> => {
  const standIn = await startStandIn(options);
  const db = createEventStoreDb({
    connectionString: standIn.connectionString,
    deadlines: { ...IMPATIENT, ...deadlines },
  });
  return {
    ...db,
    standIn,
    close: async () => {
      await db.close();
      await standIn.close();
    },
  };
};

export const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => ({ succeeded: value }),
    (error: unknown) => error,
  );

/** Until it holds. A busy machine takes its time, and some of it is spent on silences that are waited out. */
export const soon = (holds: () => void): Promise<void> => vi.waitFor(holds, { timeout: 15_000 });
