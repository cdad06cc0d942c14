import type { FileAreas } from '../../../application/ports/file-store.ts';
import { DatabaseLost, type KnownLog } from '../../../application/ports/read-gate.ts';
import type pg from 'pg';

/**
 * Binds a database to the kind of event store that it was first used with, and to the prefix of its streams:
 * checkpoints of one are meaningless to the other, and every read model would silently stay empty or stop.
 *
 * @throws when the database belongs to another kind or prefix
 */
export const bindToEventStore = async (
  pool: pg.Pool,
  kind: 'postgres' | 'eventstoredb',
  prefix = '',
): Promise<void> => {
  const { rows } = await pool.query<{ kind: string; prefix: string }>(
    `WITH first AS (
       INSERT INTO work.event_store (kind, prefix) VALUES ($1, $2) ON CONFLICT DO NOTHING
       RETURNING kind, prefix)
     SELECT kind, prefix FROM first UNION ALL SELECT kind, prefix FROM work.event_store LIMIT 1`,
    [kind, prefix],
  );
  const { kind: known = kind, prefix: first = prefix } = rows[0] ?? {};
  if (known === kind && first !== prefix) {
    const remedy = first === '' ? 'unset EVENTSTORE_STREAM_PREFIX' : `set EVENTSTORE_STREAM_PREFIX=${first}`;
    throw new Error(
      `the streams of this database's events ${first === '' ? 'have no prefix' : `begin with ${first}`}, ` +
        `as was chosen at its first start: ${remedy}, or use a database of its own`,
    );
  }
  if (known === kind) return;
  throw new Error(
    known === 'postgres'
      ? 'this database contains its events itself: unset EVENTSTORE_URL, or give EVENTSTORE_URL a database of its own'
      : 'the events of this database are in EventStoreDB: set EVENTSTORE_URL to it, or use a database of its own',
  );
};

/** @throws DatabaseLost; what the database throws that does not answer */
export const checkTables = async (pool: pg.Pool): Promise<void> => {
  const { rows } = await pool.query<{ known: boolean }>(
    `SELECT to_regclass('work.event_store') IS NOT NULL AS known`,
  );
  if (rows[0]?.known !== true) throw new DatabaseLost();
};

/** Whether a statement failed because a table or its schema is gone. */
export const isTableGone = (error: unknown): boolean =>
  ['42P01', '3F000'].includes(String((error as { readonly code?: unknown } | null)?.code));

/** Stored in the row of `work.event_store`, which `bindToEventStore` creates. */
export const createKnownLog = (pool: pg.Pool): KnownLog => ({
  read: async () => {
    const { rows } = await pool.query<{ identity: string | null; end: string | null }>(
      `SELECT (SELECT identity FROM work.event_store) AS identity,
              (SELECT max(position) FROM projection_version WHERE live) AS end`,
    );
    return { identity: rows[0]?.identity ?? null, end: rows[0]?.end ?? '' };
  },
  keep: async (identity) => {
    await pool.query('UPDATE work.event_store SET identity = $1 WHERE identity IS NULL', [identity]);
  },
  replace: async (identity) => {
    await pool.query('UPDATE work.event_store SET identity = $1', [identity]);
  },
});

/**
 * Binds a database to the storage root of its files, one process at a time. A database without a mark, either
 * new or restored without its work tables, takes the mark of the storage root.
 *
 * @param newMark the mark to write if neither side has one
 * @throws FileStoreUnavailable `missing` if the storage root is not the one that the database is bound to
 */
export const bindToFiles = async (
  pool: Pick<pg.Pool, 'connect'>,
  { claim }: Pick<FileAreas, 'claim'>,
  newMark: string,
): Promise<void> => {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE work.files_mark IN EXCLUSIVE MODE');
    const { rows } = await client.query<{ mark: string }>('SELECT mark FROM work.files_mark');
    const known = rows[0]?.mark ?? null;
    const mark = await claim(known, newMark);
    if (known === null && mark !== null) {
      await client.query('INSERT INTO work.files_mark (mark) VALUES ($1)', [mark]);
    }
    await client.query('COMMIT');
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // A connection with an open transaction is not reused.
    client.release(failure);
  }
};
