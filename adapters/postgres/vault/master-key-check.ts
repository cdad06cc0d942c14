import type pg from 'pg';

/** Id of the master key that the data keys of this database are wrapped by; null before there was one. */
export const masterKeyIdOf = async (pool: Pick<pg.Pool, 'query'>): Promise<string | null> => {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM vault.master_key');
  return rows[0]?.id ?? null;
};

/** Ties the database to a master key, unless it is tied already. Answers the id of the one that it is tied to. */
export const tieToMasterKey = async (pool: Pick<pg.Pool, 'query'>, id: string): Promise<string> => {
  await pool.query('INSERT INTO vault.master_key (id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
  // A statement of its own: it sees the row of another process that this one waited for.
  return (await masterKeyIdOf(pool)) ?? id;
};

/** Whether a rotation has left nothing under this key. */
export const isRetired = async (pool: Pick<pg.Pool, 'query'>, id: string): Promise<boolean> => {
  const { rowCount } = await pool.query('SELECT FROM vault.retired_master_key WHERE id = $1', [id]);
  return rowCount !== 0;
};

/** Ties the database to another master key, where it is still tied to `from`. */
export const moveToMasterKey = async (
  pool: Pick<pg.Pool, 'query'>,
  from: string,
  id: string,
): Promise<void> => {
  await pool.query('UPDATE vault.master_key SET id = $2 WHERE id = $1', [from, id]);
};
