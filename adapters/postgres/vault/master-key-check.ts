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
