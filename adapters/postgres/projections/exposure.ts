import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';

/** How long to stand in the way of readers at most; below PostgreSQL's `deadlock_timeout` of 1 s by default. */
const WAIT_MS = 400;
/** Pause in which readers that wait for each other's locks, and for ours, come to an end. */
const PAUSE_MS = 50;
const QUERY_CANCELED = '57014';

/** A reader would see a mixture of versions. */
class ReaderInTheWay extends Error {}

/** Until every reader that begins before `since` has ended. @throws when one goes on, see `whenReadersAllow` */
export const awaitOlderReaders = async (trx: Sql, since: string): Promise<void> => {
  if (!(await olderReadersEnded(trx, since, WAIT_MS)))
    throw new ReaderInTheWay('a reader sees the database as it was before this version');
};

/**
 * Points `read.<table>` at the tables of `schema`, all in one: who reads sees the tables of one version.
 *
 * A reader takes its views one after the other, in an order of its own, so that dropping them may wait for a reader that
 * waits for the drop. The drop then gives up before PostgreSQL would look for a deadlock and let the reader fail.
 *
 * @throws when a reader is in the way, see `whenReadersAllow`
 */
export const expose = async (trx: Sql, tables: readonly string[], schema: string): Promise<void> => {
  const views = sql.join(tables.map((table) => sql.id('read', table)));
  const { rows } = await sql<{ before: string }>`
    select current_setting('statement_timeout') as before,
      set_config('statement_timeout', ${String(WAIT_MS)}, true)`.execute(trx);
  await sql`drop view if exists ${views}`.execute(trx);
  await sql`select set_config('statement_timeout', ${rows[0]!.before}, true)`.execute(trx);
  for (const table of tables)
    await sql`create view ${sql.id('read', table)} as select * from ${sql.id(schema, table)}`.execute(trx);
};

/**
 * Runs a transaction that exposes a version, again and again until no reader is in its way.
 *
 * @throws what else goes wrong in it, or when `signal` aborts
 */
export const whenReadersAllow = async <T>(transact: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
  for (;;) {
    try {
      return await transact();
    } catch (error) {
      if (!isInTheWay(error)) throw error;
    }
    await delay(PAUSE_MS, undefined, { ...(signal !== undefined && { signal }) });
  }
};

const isInTheWay = (error: unknown): boolean =>
  error instanceof ReaderInTheWay || (error as { code?: unknown }).code === QUERY_CANCELED;

const POLL_MS = 10;

/** The clock of the database, to the microsecond. */
export const databaseTime = async (db: Sql): Promise<string> => {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db);
  return rows[0]!.now;
};

/**
 * Whether all readers of this program have ended that may see the database as it was before `since`: looks for `ms` at
 * most. Not waited for: who writes, which takes what it reads for each statement anew, and connections of other names, such
 * as a backup's.
 *
 * PostgreSQL takes the definition of a view as it is now, and its rows from the reader's snapshot: a reader whose snapshot
 * is older than a table finds it empty.
 */
const olderReadersEnded = async (trx: Sql, since: string, ms: number): Promise<boolean> => {
  const deadline = performance.now() + ms;
  while (await anyOlder(trx, since)) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
};

const anyOlder = async (trx: Sql, since: string): Promise<boolean> => {
  // Within a transaction the server answers as it did first, until it is told to look again.
  await sql`select pg_stat_clear_snapshot()`.execute(trx);
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and usename = current_user
      and application_name = current_setting('application_name')
      and backend_xmin is not null and backend_xid is null and xact_start < ${since}::timestamptz
      and pid <> pg_backend_pid()
    limit 1`.execute(trx);
  return rows.length > 0;
};
