import type pg from 'pg';
import { createEventStoreDb } from '../../adapters/eventstoredb/eventstoredb.ts';
import { createDatabase, type DatabaseAddress } from '../../adapters/postgres/connection.ts';
import { startStandIn } from '../../tests/support/eventstoredb/stand-in.ts';
import type { Bench } from '../bench.ts';
import { analyse } from '../measuring/postgres.ts';
import { rateOf, sideBySide } from '../measuring/side-by-side.ts';
import { createAppends } from './append.ts';
import { eventsPerSecond, fill, readAll } from './catch-up.ts';
import { EMMETT, emmettAppends, openEmmett } from './emmett.ts';
import { openEventLog } from './event-log.ts';

const TARGETS: ReadonlyMap<number, number> = new Map([
  [1, 1.5],
  [16, 3],
  [64, 4],
]);
const SLICE_MS = 300;
const CATCH_UP = { ratio: 0.8, eventsPerSecond: 100_000 };

/**
 * The event log in Postgres beside Emmett's on the same server, and reading it beside a bare read of its table. What the
 * EventStoreDB adapter does on the stand-in is told too: it measures the client and the wire, and no server.
 */
export const eventStoreBench: Bench = {
  name: 'eventstore',
  needs: [EMMETT],
  measure: async function* measure({ quick, profiling, cleanup }) {
    const { address, store, feed } = await openEventLog(cleanup);
    const { pool, close } = createDatabase({ ...address, poolSize: 2 });
    cleanup.defer(close);
    const theirs = await ownDatabase(pool, address, cleanup);
    const emmett = emmettAppends(await openEmmett(theirs, cleanup));
    const standIn = await openStandIn(cleanup);
    const append = createAppends(store);
    const [slice, rounds] = quick ? [50, 2] : [SLICE_MS, 16];
    for (const [lanes, target] of TARGETS) {
      const ours = (): Promise<number> => profiling.profiled(() => rateOf(lanes, slice, append));
      const rival = (): Promise<number> => rateOf(lanes, slice, emmett);
      await sideBySide(1, ours, rival);
      for (const log of [address, { connectionString: theirs }]) await analyse(log);
      const measured = await sideBySide(rounds, ours, rival);
      yield {
        bench: 'eventstore append',
        ...measured,
        measured: 'in process',
        unit: 'appends of 3 events/s',
        target: `>= ${target}`,
        met: measured.ratio >= target,
        concurrency: lanes,
        rival_is: 'emmett-postgresql 0.42.0',
        eventstoredb_stand_in: Math.round(await rateOf(lanes, slice, createAppends(standIn))),
      };
    }
    const events = quick ? 2_000 : 100_000;
    await pool.query('TRUNCATE es.events');
    await fill(store, events);
    await pool.query('VACUUM ANALYZE es.events');
    const ours = () => profiling.profiled(() => eventsPerSecond(events, () => readAll(feed)));
    const rival = () => eventsPerSecond(events, () => bareRead(pool));
    await sideBySide(1, ours, rival);
    const measured = await sideBySide(quick ? 1 : 9, ours, rival);
    yield {
      bench: 'eventstore catch-up',
      ...measured,
      measured: 'in process',
      unit: 'events/s',
      target: `>= ${CATCH_UP.eventsPerSecond} events/s, or >= ${CATCH_UP.ratio} where the bare read does not reach that`,
      met: measured.ours >= CATCH_UP.eventsPerSecond || measured.ratio >= CATCH_UP.ratio,
      events,
      rival_is: 'pages of 500 rows by key, with one prepared statement of a bare client',
    };
  },
};

const ownDatabase = async (
  pool: pg.Pool,
  address: DatabaseAddress,
  cleanup: AsyncDisposableStack,
): Promise<string> => {
  await pool.query('CREATE DATABASE emmett');
  // A pool says that it has ended before its connections have, and to lose one then is an error that nobody handles.
  cleanup.defer(async () => {
    const connections = `SELECT FROM pg_stat_activity WHERE datname = 'emmett'`;
    while ((await pool.query(connections)).rowCount !== 0);
  });
  const { host, port, user, password } = address as Exclude<DatabaseAddress, { connectionString: string }>;
  return `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/emmett`;
};

const openStandIn = async (cleanup: AsyncDisposableStack) => {
  const server = await startStandIn();
  cleanup.defer(server.close);
  const { store, close } = createEventStoreDb({ connectionString: server.connectionString });
  cleanup.defer(close);
  return store;
};

/** The same columns, parsed the same way, page by page in the order of the log. */
const bareRead = async (pool: pg.Pool): Promise<number> => {
  let [tx, pos, events] = ['0', '0', 0];
  for (;;) {
    const { rows } = await pool.query<{ tx: string; pos: string; data: unknown; metadata: unknown }>({
      name: 'bare',
      text: `SELECT tx, pos, stream, revision, event_id, type, data, metadata, recorded_at FROM es.events
        WHERE (tx, pos) > ($1, $2) ORDER BY tx, pos LIMIT 500`,
      values: [tx, pos],
    });
    events += rows.length;
    const last = rows.at(-1);
    if (last === undefined) return events;
    ({ tx, pos } = last);
  }
};
