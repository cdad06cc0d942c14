import type pg from 'pg';
import type { PostgresDatabase } from '../adapters/postgres/connection.ts';
import { createPostgresEventFeed } from '../adapters/postgres/event-feed.ts';
import { createPostgresEventStore } from '../adapters/postgres/event-store.ts';
import { createWakeUp, probeLog } from '../adapters/postgres/events/wake-up.ts';
import { createKnownLog } from '../adapters/postgres/work/database-identity.ts';
import { createIdSource } from '../adapters/system/identity.ts';
import { createOutageLog } from '../adapters/system/console-logger.ts';
import { sleep } from '../adapters/system/timing.ts';
import {
  LOG_IDENTITY_STREAM,
  createCompareLog,
} from '../application/event-sourcing/store-health/compare-log.ts';
import { createStoreWatch, type StoreWatch } from '../application/event-sourcing/store-health/store-watch.ts';
import type { EventFeed, EventStore, Position } from '../application/ports/event-store.ts';
import type { KnownLog, LogProbeAnswer } from '../application/ports/read-gate.ts';
import type { Logger } from '../application/ports/logger.ts';
import type { Config } from './config/config.ts';

/** The feed of whichever store, and what is measured of it: see `PostgresEventFeed`; 0 where nothing is ever hidden. */
export type MeasuredEventFeed = EventFeed & { readonly oldestHiddenAgeMs: () => Promise<number> };

/** Where events are kept, whichever store that is. */
export interface EventLog {
  readonly store: EventStore;
  readonly feed: MeasuredEventFeed;
  /** As traces name it. */
  readonly system: 'postgresql' | 'eventstoredb';
  /**
   * What the log shows of itself now, soon, and whether it holds a place that was `seen` once.
   *
   * @throws EventStoreUnavailable when it does not answer
   */
  readonly probe: (seen: Position) => Promise<LogProbeAnswer>;
  /** Calls `listener` when the store is reached anew: it may be another one. */
  readonly onConnected: (listener: () => void) => void;
  readonly close: () => Promise<void>;
}

/** The log in EventStoreDB where that is configured, else in the database. */
export const openEventLog = async (
  { eventStoreUrl }: Pick<Config, 'eventStoreUrl'>,
  { pool, newClient }: { readonly pool: pg.Pool; readonly newClient: () => pg.Client },
): Promise<EventLog> => {
  if (eventStoreUrl !== undefined) {
    // Its client is large, and most starts do without.
    const { createEventStoreDb } = await import('../adapters/eventstoredb/eventstoredb.ts');
    const listeners: (() => void)[] = [];
    const onConnected = (): void => listeners.forEach((listener) => listener());
    const opened = createEventStoreDb({ connectionString: eventStoreUrl, onConnected });
    return {
      ...opened,
      probe: async (seen) => {
        const found = await opened.probe(LOG_IDENTITY_STREAM);
        // What lies before the end may have been scavenged.
        return { ...found, holds: seen <= found.end };
      },
      onConnected: (listener) => void listeners.push(listener),
      system: 'eventstoredb',
    };
  }
  const wakeUp = createWakeUp({ pool, newClient });
  return {
    store: createPostgresEventStore({ pool, wakeUp }),
    feed: createPostgresEventFeed({ pool, wakeUp }),
    system: 'postgresql',
    probe: (seen) => probeLog(pool, LOG_IDENTITY_STREAM, seen),
    // A restore need not break a connection, and the pool makes new ones all the time: the looks are enough.
    onConnected: () => {},
    close: wakeUp.close,
  };
};

export interface StoreWatches {
  readonly database: StoreWatch;
  readonly events: StoreWatch;
  /** What is kept of the log beside the checkpoints. */
  readonly known: KnownLog;
  /** To be told of each append that was acknowledged. */
  readonly appended: (position: Position) => void;
  /** Both, until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** For everything that works with these stores: what an outage makes many parts say is said once. */
  readonly log: Logger;
}

/** What is watched, and where what is known of the log is kept. */
type WatchedDatabases = Readonly<
  Record<'events' | 'views' | 'watch', Pick<PostgresDatabase, 'pool' | 'breakSilent'>>
>;

const ANSWER_MS = 1_500;
/** What is read beside must not make the log look unavailable. */
const KNOWN_MS = 1_000;
/** Where a log is given its identity. */
const WHOLE_MS = 5_000;

/**
 * Watches over Postgres and over the event log; where both are one server, the log of the process tells of it once.
 * Postgres is looked at on connections of its own: it is not away because many searches use all others.
 */
export const createStoreWatches = (
  databases: WatchedDatabases,
  events: EventLog,
  log: Logger,
): StoreWatches => {
  const { views, watch } = databases;
  const kept = createKnownLog(views.pool);
  const known = { ...kept, read: () => withTimeout(KNOWN_MS, kept.read()) };
  const { compare, appended } = createCompareLog({
    probe: (seen) => withTimeout(ANSWER_MS, events.probe(seen)),
    known,
    store: events.store,
    ids: createIdSource(),
  });
  const now = (): number => performance.now();
  const unavailableSince = (): number | null => database.unavailableSince() ?? ofEvents.unavailableSince();
  const outageLog = createOutageLog(log, unavailableSince, now);
  const clock = { now, sleep, log, summary: outageLog.summary };
  const database = createStoreWatch({
    ...clock,
    name: 'database',
    probe: async () => void (await withTimeout(ANSWER_MS, watch.pool.query('SELECT 1'))),
    onRecovered: (ms) => {
      for (const { breakSilent } of [databases.events, views, watch]) breakSilent(ms);
    },
  });
  const ofEvents = createStoreWatch({
    ...clock,
    name: events.system === 'eventstoredb' ? 'event store' : null,
    probe: () => withTimeout(WHOLE_MS, compare()),
  });
  events.onConnected(ofEvents.invalidate);
  const run = async (signal: AbortSignal): Promise<void> => {
    await Promise.all([database.run(signal), ofEvents.run(signal)]);
  };
  return { database, events: ofEvents, known, appended, run, log: outageLog.log };
};

/** Rejects after `ms`, whatever becomes of `work`. An answer that lies there already, on a busy process, still counts. */
const withTimeout = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => setImmediate(() => reject(new Error(`no answer within ${ms} ms`))), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
