import { ConcurrencyConflict, type EventStore, type NewEvent } from '../../ports/event-store.ts';
import type { IdSource } from '../../ports/identity.ts';

/**
 * Tells one log from every other: an event that the log was given once, in a stream of its own, by the first process that
 * found none. It belongs to no tenant.
 */
export const LOG_IDENTITY = 'eventLog-identity';

/** Gives a log that has none an identity. Answers the one that it then has: another process may have been faster. */
export const giveIdentity = async (store: EventStore, ids: IdSource): Promise<string> => {
  const identity = ids.newId();
  const event: NewEvent = {
    id: ids.newId(),
    type: 'EventLogIdentified',
    data: { identity },
    metadata: { actor: { kind: 'system', id: 'event log' }, schemaVersion: 1 },
  };
  try {
    await store.append(LOG_IDENTITY, 'none', [event]);
    return identity;
  } catch (error) {
    if (!(error instanceof ConcurrencyConflict)) throw error;
    const [given] = await store.readStream(LOG_IDENTITY, 0n, 1);
    if (given === undefined) throw error;
    return given.data['identity'] as string;
  }
};
