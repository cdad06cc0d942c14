import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { olderReadersEnded } from './older-readers.ts';
import type { Sql } from '../database-schema.ts';

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
