import type { SqlDatabase } from '../adapters/postgres/database.ts';
import { createKnownLog } from '../adapters/postgres/work/known-log.ts';
import { createIdSource } from '../adapters/system/identity.ts';
import { createOutageLog } from '../adapters/system/outage-log.ts';
import { sleep } from '../adapters/system/timing.ts';
import { createCompareLog } from '../application/event-sourcing/store-health/compare-log.ts';
import { createStoreWatch, type StoreWatch } from '../application/event-sourcing/store-health/store-watch.ts';
import type { Position } from '../application/ports/event-store.ts';
import type { KnownLog } from '../application/ports/known-log.ts';
import type { Logger } from '../application/ports/logger.ts';
import type { EventLog } from './event-log.ts';

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
export type WatchedDatabases = Readonly<Record<'views' | 'watch', Pick<SqlDatabase, 'pool'>>>;

const ANSWER_MS = 1_500;
/** What is read beside must not make the log look as if it were away. */
const KNOWN_MS = 1_000;
/** Where a log is given its identity. */
const WHOLE_MS = 5_000;

/**
 * Watches over Postgres and over the event log; where both are one server, the log of the process tells of it once.
 * Postgres is looked at on connections of its own: it is not away because many searches use all others.
 */
export const createStoreWatches = (
  { views, watch }: WatchedDatabases,
  events: EventLog,
  log: Logger,
): StoreWatches => {
  const kept = createKnownLog(views.pool);
  const known = { ...kept, read: () => withTimeout(KNOWN_MS, kept.read()) };
  const { compare, appended } = createCompareLog({
    look: (seen) => withTimeout(ANSWER_MS, events.look(seen)),
    known,
    store: events.store,
    ids: createIdSource(),
  });
  const now = (): number => performance.now();
  const awaySince = (): number | null => database.awaySince() ?? ofEvents.awaySince();
  const outageLog = createOutageLog(log, awaySince, now);
  const clock = { now, sleep, log, summary: outageLog.summary };
  const database = createStoreWatch({
    ...clock,
    name: 'database',
    ask: async () => void (await withTimeout(ANSWER_MS, watch.pool.query('SELECT 1'))),
  });
  const ofEvents = createStoreWatch({
    ...clock,
    name: events.system === 'eventstoredb' ? 'event store' : null,
    ask: () => withTimeout(WHOLE_MS, compare()),
  });
  events.onConnected(ofEvents.distrust);
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
