import { createDatabase, type DatabaseAddress } from '../../adapters/postgres/database.ts';

/**
 * Has the server look at what its tables hold, as it does by itself within minutes: on tables that were never analysed it
 * plans whatever comes, for one side as it may not for the other.
 */
export const analyse = async (address: DatabaseAddress): Promise<void> => {
  const { pool, close } = createDatabase({ ...address, poolSize: 1 });
  await pool.query('ANALYZE');
  await close();
};
