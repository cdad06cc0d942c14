import { loadDuckDb } from '../../adapters/exports/duckdb.ts';

/** Whether DuckDB, 70 MB, is installed; tests with it are skipped without it. */
export const HAS_DUCKDB: boolean = await loadDuckDb().then(
  () => true,
  () => false,
);
if (!HAS_DUCKDB) console.warn('no database of DuckDB is made: it is not installed (npm run test:setup)');

type Rows = readonly Record<string, unknown>[];

/** The rows that a query finds in a file: counts as numbers or texts, times as texts. */
export const queried = async (path: string, query: string): Promise<Rows> =>
  (await reported(path, query)).at(-1)!;

/** The rows of each query of a script, whose statements end with `;` at the end of a line. */
export const reported = async (path: string, script: string): Promise<readonly Rows[]> => {
  const { DuckDBInstance } = await loadDuckDb();
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  try {
    const found: Rows[] = [];
    for (const statement of script.split(/;$/m).filter((part) => part.trim() !== ''))
      found.push((await connection.runAndReadAll(statement)).getRowObjectsJson() as Rows);
    return found;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
};
