import type pg from 'pg';
import type { PostgresDatabase } from '../adapters/postgres/connection.ts';
import { createPostgresEventFeed } from '../adapters/postgres/event-feed.ts';
import { createPostgresEventStore } from '../adapters/postgres/event-store.ts';
import { createWakeUp, probeLog } from '../adapters/postgres/events/wake-up.ts';
import { checkTables, createKnownLog } from '../adapters/postgres/work/database-identity.ts';
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

/** The feed of either store with its metric: see `PostgresEventFeed`. 0 for a store that never hides events. */
export type MeasuredEventFeed = EventFeed & { readonly oldestHiddenAgeMs: () => Promise<number> };

/** The event log, in either store. */
export interface EventLog {
  readonly store: EventStore;
  readonly feed: MeasuredEventFeed;
  /** Name of the store in traces. */
  readonly system: 'postgresql' | 'eventstoredb';
  /**
   * The state of the log now, soon, and whether it still has the position `seen`.
   *
   * @throws EventStoreUnavailable when it does not respond
   */
  readonly probe: (seen: Position) => Promise<LogProbeAnswer>;
  /** Calls `listener` after a reconnect: the store may be another one. */
  readonly onConnected: (listener: () => void) => void;
  readonly close: () => Promise<void>;
}

/** The log in EventStoreDB if it is configured, else in the database. */
export const openEventLog = async (
  {
    eventStoreUrl,
    eventStorePrefix: prefix,
  }: Pick<Config, 'eventStoreUrl'> & Partial<Pick<Config, 'eventStorePrefix'>>,
  { pool, newClient }: { readonly pool: pg.Pool; readonly newClient: () => pg.Client },
): Promise<EventLog> => {
  if (eventStoreUrl !== undefined) {
    // The client is large, and most starts do not need it.
    const { createEventStoreDb } = await import('../adapters/eventstoredb/eventstoredb.ts');
    const listeners: (() => void)[] = [];
    const onConnected = (): void => listeners.forEach((listener) => listener());
    const opened = createEventStoreDb({
      connectionString: eventStoreUrl,
      onConnected,
      ...(prefix !== undefined && { prefix }),
    });
    return {
      ...opened,
      probe: async (seen) => {
        const found = await opened.probe(LOG_IDENTITY_STREAM);
        // Events before the end may have been scavenged.
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
    // A restore need not break a connection, and the pool opens new ones all the time: periodic probes are enough.
    onConnected: () => {},
    close: wakeUp.close,
  };
};

export interface StoreWatches {
  readonly database: StoreWatch;
  readonly events: StoreWatch;
  /** What is recorded of the log besides the checkpoints. */
  readonly known: KnownLog;
  /** Reports the position of each acknowledged append. */
  readonly appended: (position: Position) => void;
  /** Runs both watches until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** For everything that works with these stores: reports an outage once, even if many parts fail because of it. */
  readonly log: Logger;
}

/** The watched databases, and where the facts about the log are stored. */
type WatchedDatabases = Readonly<
  Record<'events' | 'views' | 'watch', Pick<PostgresDatabase, 'pool' | 'breakSilent'>>
>;

const PROBE_TIMEOUT_MS = 1_500;
/** Short, so that this extra read does not make the log look unavailable. */
const KNOWN_LOG_TIMEOUT_MS = 1_000;
/** Timeout of the whole check, which may give a log its identity. */
const WHOLE_MS = 5_000;

/**
 * Watches Postgres and the event log; if both are one server, the process log reports an outage once. Postgres is
 * probed on separate connections: it is not unavailable because many searches use all others.
 */
export const createStoreWatches = (
  databases: WatchedDatabases,
  events: EventLog,
  log: Logger,
): StoreWatches => {
  const { views, watch } = databases;
  const kept = createKnownLog(views.pool);
  const known = { ...kept, read: () => withTimeout(KNOWN_LOG_TIMEOUT_MS, kept.read()) };
  const { compare, appended } = createCompareLog({
    probe: (seen) => withTimeout(PROBE_TIMEOUT_MS, events.probe(seen)),
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
    probe: () => withTimeout(PROBE_TIMEOUT_MS, checkTables(watch.pool)),
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

/**
 * Rejects after `ms`, whatever becomes of `work`. On a busy process, a result that has already arrived still counts.
 */
const withTimeout = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => setImmediate(() => reject(new Error(`no answer within ${ms} ms`))), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
