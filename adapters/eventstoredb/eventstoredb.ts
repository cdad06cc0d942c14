import type { EventStore } from '../../application/ports/event-store.ts';
import type { LogProbe } from '../../application/ports/read-gate.ts';
import { type Connection, connect } from './connection.ts';
import { DEADLINES, type Deadlines, withTimeout } from './deadlines.ts';
import { failureOf, isTransient, unavailable } from './errors.ts';
import { createEventStoreDbFeed, type EventStoreDbFeed } from './event-feed.ts';
import { createEventStoreDbStore } from './event-store.ts';
import { createLogTail } from './log-tail.ts';
import { endOf } from './read.ts';
import { streamRequest } from './read-requests.ts';
import { toEvent } from './records.ts';
import { prefixedReads } from './stream-prefix.ts';

export interface EventStoreDb {
  readonly store: EventStore;
  readonly feed: EventStoreDbFeed;
  /**
   * Returns what the leader shows this user now: the end of the log, and the identity in the first event of
   * `identityStream`. Takes a second and a half at most.
   *
   * @throws EventStoreUnavailable with a short message for an operator
   */
  readonly probe: (identityStream: string) => Promise<LogProbe>;
  /** Ends the subscription and the connection. Followers must have been ended by their signals before. */
  readonly close: () => Promise<void>;
}

/**
 * EventStoreDB (23.10 or newer) or KurrentDB as event store and event feed. One per process. Nothing is sent
 * before the first call. The user of the connection string must be allowed to read `$all` (by default
 * `$admins` are).
 *
 * @throws InvalidConnectionString
 */
export const createEventStoreDb = (deps: {
  /**
   * `esdb://user:password@host:2113,host2:2113?tls=true` or `esdb+discover://…`, with a percent-encoded
   * password.
   */
  readonly connectionString: string;
  /**
   * Of the names of all streams: none, or letters, digits and underscores after a first small letter. The ports name
   * streams without it. Another prefix is another log.
   */
  readonly prefix?: string;
  /** For tests and unusual networks. */
  readonly deadlines?: Partial<Deadlines>;
  /** Called after a new connection to the server. */
  readonly onConnected?: () => void;
}): EventStoreDb => {
  const { prefix = '' } = deps;
  const deadlines = { ...DEADLINES, ...deps.deadlines };
  const connection = connect(deps.connectionString, { ...deadlines, onConnected: deps.onConnected });
  const ours = prefixedReads(connection, prefix);
  const tail = createLogTail(ours, deadlines);
  return {
    store: createEventStoreDbStore({ connection: ours, deadlines, tail, prefix }),
    feed: createEventStoreDbFeed({ connection: ours, tail, deadlines }),
    probe: (identityStream) => probeLog(ours, identityStream, Math.min(deadlines.callMs, PROBE_MS)),
    close: async () => {
      await tail.close();
      connection.close();
    },
  };
};

const PROBE_MS = 1_500;
/** Share of the time for the first attempt. */
const FIRST_ATTEMPT_SHARE = 0.6;

/**
 * Uses separate calls and nothing that this process remembers of the log. Retries once if the first node
 * named another leader or did not respond.
 */
const probeLog = async (connection: Connection, identityStream: string, ms: number): Promise<LogProbe> => {
  const ask = async (): Promise<LogProbe> => {
    const [{ position: end }, identity] = await Promise.all([
      endOf(connection, ms * FIRST_ATTEMPT_SHARE),
      identityIn(connection, identityStream, ms * FIRST_ATTEMPT_SHARE),
    ]);
    return { end, identity };
  };
  const again = (error: unknown): Promise<LogProbe> => {
    if (!isTransient(failureOf(error))) throw error;
    return ask();
  };
  try {
    return await withTimeout(ms, ask().catch(again));
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
