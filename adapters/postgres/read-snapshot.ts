import type { Sql } from './sql.ts';

/**
 * What is read in one snapshot (REPEATABLE READ, read only). Answers before the transaction has ended, as nothing that
 * was read depends on how it ends: that saves the caller a way to the server and back. Its connection goes back to the
 * pool when it has.
 *
 * @throws what `read` throws, once the transaction is rolled back
 */
export const readSnapshot = <T>(db: Sql, read: (trx: Sql) => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    db.transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => resolve(await read(trx)))
      .catch(reject);
  });
