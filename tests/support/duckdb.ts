import { loadDuckDb } from '../../adapters/exports/duckdb.ts';

/** Whether DuckDB, 70 MB, is installed; tests with it are skipped without it. */
export const HAS_DUCKDB: boolean = await loadDuckDb().then(
  () => true,
  () => false,
);
if (!HAS_DUCKDB) console.warn('no database of DuckDB is made: it is not installed (npm run test:setup)');

/** The rows that a query finds in a file: counts as numbers or texts, times as texts. */
export const queried = async (path: string, query: string): Promise<readonly Record<string, unknown>[]> => {
  const { DuckDBInstance } = await loadDuckDb();
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(query)).getRowObjectsJson() as Record<string, unknown>[];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
};
