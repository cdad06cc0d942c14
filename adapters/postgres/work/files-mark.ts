import type pg from 'pg';
import type { FileAreas } from '../../../application/ports/file-store.ts';

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
