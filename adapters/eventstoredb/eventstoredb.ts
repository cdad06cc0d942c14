import type { EventStore } from '../../application/ports/event-store.ts';
import { connect } from './connection.ts';
import type { Connection } from './connection.ts';
import { createEventStoreDbFeed } from './event-feed.ts';
import type { EventStoreDbFeed } from './event-feed.ts';
import { createEventStoreDbStore } from './event-store.ts';
import { failureOf } from './failures.ts';
import { createLogTail, endOf } from './log-tail.ts';
import type { LogEnd } from './log-tail.ts';
import { PATIENCE, within } from './patience.ts';
import type { Patience } from './patience.ts';

const PROBE_MS = 2_000;

export interface EventStoreDb {
  readonly store: EventStore;
  readonly feed: EventStoreDbFeed;
  /**
   * For readiness: null when the leader answers this user, else why not, in a few words for an operator. Takes two
   * seconds at most.
   */
  readonly probe: () => Promise<string | null>;
  /** Ends the subscription and the connection. Followers end by their own signals, before. */
  readonly close: () => Promise<void>;
}

/**
 * EventStoreDB from 23.10 on, or KurrentDB, as event store and event feed. Nothing is sent before the first call. One
 * per process. The user of the connection string must be allowed to read `$all` (by default `$admins` are).
 *
 * `patience`: see `Patience`; for tests and odd networks.
 *
 * @throws InvalidConnectionString
 */
export const createEventStoreDb = (deps: {
  /** `esdb://user:password@host:2113,host2:2113?tls=true` or `esdb+discover://…`, the password percent-encoded. */
  readonly connectionString: string;
  readonly patience?: Partial<Patience>;
}): EventStoreDb => {
  const patience = { ...PATIENCE, ...deps.patience };
  const connection = connect(deps.connectionString);
  const tail = createLogTail(connection, patience);
  return {
    store: createEventStoreDbStore({ connection, patience, tail }),
    feed: createEventStoreDbFeed({ connection, tail, patience }),
    probe: () => reasonAgainst(connection, Math.min(patience.callMs, PROBE_MS)),
    close: async () => {
      await tail.close();
      await connection.close();
    },
  };
};

/** Once more after a refusal, which may have told the client where the leader is. */
const reasonAgainst = async (connection: Connection, ms: number): Promise<string | null> => {
  const ask = (): Promise<LogEnd> => endOf(connection, ms);
  const again = (error: unknown): Promise<LogEnd> => {
    if (failureOf(error).kind !== 'not_done') throw error;
    return ask();
  };
  try {
    await within(ms, ask().catch(again));
    return null;
  } catch (error) {
    return failureOf(error).message;
  }
};
