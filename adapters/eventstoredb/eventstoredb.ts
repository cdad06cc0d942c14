import type { EventStore } from '../../application/ports/event-store.ts';
import type { LogProbe } from '../../application/ports/read-gate.ts';
import { type Connection, connect } from './connection.ts';
import { DEADLINES, type Deadlines, within } from './deadlines.ts';
import { failureOf, isTransient, unavailable } from './errors.ts';
import { createEventStoreDbFeed, type EventStoreDbFeed } from './event-feed.ts';
import { createEventStoreDbStore } from './event-store.ts';
import { createLogTail } from './log-tail.ts';
import { endOf } from './read.ts';
import { streamRequest } from './read-requests.ts';
import { toEvent } from './records.ts';

export interface EventStoreDb {
  readonly store: EventStore;
  readonly feed: EventStoreDbFeed;
  /**
   * What the leader shows this user now: the end of the log, and the identity in the first event of `identityStream`.
   * Takes a second and a half at most. @throws EventStoreUnavailable, in a few words for an operator
   */
  readonly probe: (identityStream: string) => Promise<LogProbe>;
  /** Ends the subscription and the connection. Followers end by their own signals, before. */
  readonly close: () => Promise<void>;
}

/**
 * EventStoreDB from 23.10 on, or KurrentDB, as event store and event feed. Nothing is sent before the first call. One
 * per process. The user of the connection string must be allowed to read `$all` (by default `$admins` are).
 *
 * @throws InvalidConnectionString
 */
export const createEventStoreDb = (deps: {
  /** `esdb://user:password@host:2113,host2:2113?tls=true` or `esdb+discover://…`, the password percent-encoded. */
  readonly connectionString: string;
  /** For tests and odd networks. */
  readonly deadlines?: Partial<Deadlines>;
  /** Called when the server is reached anew. */
  readonly onConnected?: () => void;
}): EventStoreDb => {
  const deadlines = { ...DEADLINES, ...deps.deadlines };
  const connection = connect(deps.connectionString, { ...deadlines, onConnected: deps.onConnected });
  const tail = createLogTail(connection, deadlines);
  return {
    store: createEventStoreDbStore({ connection, deadlines, tail }),
    feed: createEventStoreDbFeed({ connection, tail, deadlines }),
    probe: (identityStream) => probeLog(connection, identityStream, Math.min(deadlines.callMs, POLL_MS)),
    close: async () => {
      await tail.close();
      connection.close();
    },
  };
};

const POLL_MS = 1_500;
/** Part of the time for the first attempt. */
const FIRST = 0.6;

/**
 * By calls of its own: nothing that this process remembers of the log plays a part. Asks once more where a first node has
 * named another one as the leader, or was silent.
 */
const probeLog = async (connection: Connection, identityStream: string, ms: number): Promise<LogProbe> => {
  const ask = async (): Promise<LogProbe> => {
    const [{ position: end }, identity] = await Promise.all([
      endOf(connection, ms * FIRST),
      identityIn(connection, identityStream, ms * FIRST),
    ]);
    return { end, identity };
  };
  const again = (error: unknown): Promise<LogProbe> => {
    if (!isTransient(failureOf(error))) throw error;
    return ask();
  };
  try {
    return await within(ms, ask().catch(again));
  } catch (error) {
    throw unavailable(failureOf(error), error);
  }
};

const identityIn = async (
  connection: Connection,
  stream: string,
  idleTimeoutMs: number,
): Promise<string | null> => {
  for await (const messages of connection.read(streamRequest(stream, { from: 0n, limit: 1 }), {
    idleTimeoutMs,
  })) {
    const record = messages.find((message) => message.record !== null)?.record ?? null;
    const identity = record && toEvent(record)?.data['identity'];
    if (typeof identity === 'string') return identity;
  }
  return null;
};
