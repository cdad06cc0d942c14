import type pg from 'pg';
import type { KnownLog } from '../../../application/ports/read-gate.ts';

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
