import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Sql } from '../database-schema.ts';

const LOOK_MS = 10;

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
export const olderReadersEnded = async (trx: Sql, since: string, ms: number): Promise<boolean> => {
  const deadline = performance.now() + ms;
  while (await anyOlder(trx, since)) {
    if (performance.now() > deadline) return false;
    await delay(LOOK_MS);
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
