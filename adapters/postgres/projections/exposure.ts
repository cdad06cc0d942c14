import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';

/** Maximum time of blocking readers; below PostgreSQL's default `deadlock_timeout` of 1 s. */
const WAIT_MS = 400;
/** Pause in which readers that wait for each other's locks, and for ours, can finish. */
const PAUSE_MS = 50;
const QUERY_CANCELED = '57014';

/** A running reader would see a mixture of versions. */
class BlockedByReader extends Error {}

/**
 * Waits until every reader that started before `since` has ended.
 *
 * @throws if one is still running after a while; see `retryWhileReadersBlock`
 */
export const awaitOlderReaders = async (trx: Sql, since: string): Promise<void> => {
  if (!(await olderReadersEnded(trx, since, WAIT_MS)))
    throw new BlockedByReader('a reader sees the database as it was before this version');
};

/**
 * Points all views `read.<table>` at the tables of `schema` in one transaction, so that readers see the
 * tables of one version.
 *
 * A reader locks its views one by one, in its own order, so dropping them may deadlock with a reader. The
 * drop therefore gives up before PostgreSQL would look for a deadlock and fail the reader.
 *
 * @throws if a reader blocks it; see `retryWhileReadersBlock`
 */
export const expose = async (trx: Sql, tables: readonly string[], schema: string): Promise<void> => {
  if (tables.length === 0) return;
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
 * Runs a transaction that exposes a version, and repeats it until no reader blocks it.
 *
 * @throws any other error of the transaction, or when `signal` aborts
 */
export const retryWhileReadersBlock = async <T>(
  transact: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> => {
  for (;;) {
    try {
      return await transact();
    } catch (error) {
      if (!isBlockedByReader(error)) throw error;
    }
    await delay(PAUSE_MS, undefined, { ...(signal !== undefined && { signal }) });
  }
};

const isBlockedByReader = (error: unknown): boolean =>
  error instanceof BlockedByReader || (error as { code?: unknown }).code === QUERY_CANCELED;

const POLL_MS = 10;

/** The database clock, in microseconds. */
export const databaseTime = async (db: Sql): Promise<string> => {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db);
  return rows[0]!.now;
};

/**
 * Whether all readers of this program that may see the database as it was before `since` have ended; polls
 * for at most `ms`. Ignores writers, whose statements take new snapshots, and connections with other names,
 * such as backups.
 *
 * PostgreSQL uses the current definition of a view but takes its rows from the reader's snapshot: a reader
 * whose snapshot is older than a table finds it empty.
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
  // Within a transaction the server repeats its first result until its snapshot is cleared.
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
