import type { EventStore } from '../../application/ports/event-store.ts';
import type { LogLook } from '../../application/ports/read-gate.ts';
import { connect } from './connection.ts';
import { createEventStoreDbFeed } from './event-feed.ts';
import type { EventStoreDbFeed } from './event-feed.ts';
import { createEventStoreDbStore } from './event-store.ts';
import { createLogTail } from './log-tail.ts';
import { lookAtLog } from './look.ts';
import { PATIENCE } from './patience.ts';
import type { Patience } from './patience.ts';

const LOOK_MS = 1_500;

export interface EventStoreDb {
  readonly store: EventStore;
  readonly feed: EventStoreDbFeed;
  /**
   * What the leader shows this user now: the end of the log, and the first event of the stream `identityStream`. Takes a
   * second and a half at most. @throws EventStoreUnavailable, in a few words for an operator
   */
  readonly look: (identityStream: string) => Promise<LogLook>;
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
  /** Called when the server is reached anew. */
  readonly onConnected?: () => void;
}): EventStoreDb => {
  const patience = { ...PATIENCE, ...deps.patience };
  const connection = connect(deps.connectionString, { ...patience, onConnected: deps.onConnected });
  const tail = createLogTail(connection, patience);
  return {
    store: createEventStoreDbStore({ connection, patience, tail }),
    feed: createEventStoreDbFeed({ connection, tail, patience }),
    look: (identityStream) => lookAtLog(connection, identityStream, Math.min(patience.callMs, LOOK_MS)),
    close: async () => {
      await tail.close();
      connection.close();
    },
  };
};
