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
