import type { FileAreas } from '../../../application/ports/file-store.ts';
import type { KnownLog } from '../../../application/ports/read-gate.ts';
import type pg from 'pg';

/**
 * Ties a database to the kind of event store that it was first used with: checkpoints of one kind mean nothing to the
 * other, and every read model would stay empty or stand still without a word.
 *
 * @throws when the database belongs to another kind
 */
export const tieToEventStore = async (pool: pg.Pool, kind: 'postgres' | 'eventstoredb'): Promise<void> => {
  const { rows } = await pool.query<{ kind: string }>(
    `WITH first AS (INSERT INTO work.event_store (kind) VALUES ($1) ON CONFLICT DO NOTHING RETURNING kind)
     SELECT kind FROM first UNION ALL SELECT kind FROM work.event_store LIMIT 1`,
    [kind],
  );
  const known = rows[0]?.kind ?? kind;
  if (known === kind) return;
  throw new Error(
    known === 'postgres'
      ? 'this database holds its events itself: unset EVENTSTORE_URL, or give EVENTSTORE_URL a database of its own'
      : 'the events of this database are in EventStoreDB: set EVENTSTORE_URL to it, or use a database of its own',
  );
};

/** In the row of `work.event_store`, which `tieToEventStore` has made. */
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
 * Ties a database to the place of its files, one process at a time. A database without a mark, as a new one or one that
 * was restored without its work tables, takes that of the place.
 *
 * @throws FileStoreUnavailable `missing` when the place is not the one that it was tied to
 */
export const tieToFiles = async (
  pool: Pick<pg.Pool, 'connect'>,
  { claim }: Pick<FileAreas, 'claim'>,
  fresh: string,
): Promise<void> => {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE work.files_mark IN EXCLUSIVE MODE');
    const { rows } = await client.query<{ mark: string }>('SELECT mark FROM work.files_mark');
    const known = rows[0]?.mark ?? null;
    const mark = await claim(known, fresh);
    if (known === null && mark !== null) {
      await client.query('INSERT INTO work.files_mark (mark) VALUES ($1)', [mark]);
    }
    await client.query('COMMIT');
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // A connection with an open transaction is not used again.
    client.release(failure);
  }
};
