import { createHash } from 'node:crypto';
import type pg from 'pg';
import { disableIdleTimeout } from './connection.ts';

export type Execute = (sql: string, values?: readonly unknown[]) => Promise<void>;

/**
 * One forward step of the schema. A released step is never edited or removed.
 *
 * `up` must issue the same statements on every database, because the checksum covers the statements of a dry
 * run: conditions belong in the SQL.
 */
export interface Migration {
  /** Unique over all modules, for example `event-store-0001`. */
  readonly id: string;
  readonly up: (execute: Execute) => Promise<void>;
}

/** An arbitrary constant that no other advisory lock in this database uses. */
const LOCK = 7_701_001;

/**
 * Applies the missing migrations in the given order, each in its own transaction together with its record.
 * Concurrent starts wait for each other. If a migration fails, the earlier ones remain applied. Returns the
 * ids of the applied migrations.
 *
 * @throws if an applied migration has changed since, or an id occurs twice
 */
export const migrate = async (
  pool: Pick<pg.Pool, 'connect'>,
  migrations: readonly Migration[],
): Promise<readonly string[]> => {
  const checksums = await checksumsOf(migrations);
  return underMigrationLock(pool, async (client) => {
    await client.query(RECORDS);
    const known = await client.query<{ id: string; checksum: string }>(
      'SELECT id, checksum FROM knowledger_migration',
    );
    const recorded = new Map(known.rows.map((row) => [row.id, row.checksum]));
    for (const [id, checksum] of checksums) {
      if (recorded.has(id) && recorded.get(id) !== checksum) {
        throw new Error(`migration ${id} was changed after it had been applied to this database`);
      }
    }
    const missing = migrations.filter((migration) => !recorded.has(migration.id));
    for (const migration of missing) await apply(client, migration, checksums.get(migration.id)!);
    return missing.map((migration) => migration.id);
  });
};

/**
 * Runs a change of the schema, one process at a time, on a separate connection without a statement timeout.
 */
const underMigrationLock = async <T>(
  pool: Pick<pg.Pool, 'connect'>,
  change: (client: pg.PoolClient) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  try {
    disableIdleTimeout(client);
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    return await change(client);
  } finally {
    // Closing the session releases its lock and its settings.
    client.release(true);
  }
};

/** Whether a service has ever used this database. Changes nothing. */
export const isMigrated = async (pool: Pick<pg.Pool, 'query'>): Promise<boolean> => {
  const table = await pool.query<{ found: boolean }>(
    `SELECT to_regclass('knowledger_migration') IS NOT NULL AS found`,
  );
  if (table.rows[0]?.found !== true) return false;
  return (await pool.query('SELECT FROM knowledger_migration LIMIT 1')).rows.length > 0;
};

const RECORDS = `
  CREATE TABLE IF NOT EXISTS knowledger_migration (
    id text PRIMARY KEY,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`;

const apply = async (client: pg.PoolClient, migration: Migration, checksum: string): Promise<void> => {
  await client.query('BEGIN');
  try {
    await migration.up(async (sql, values) => {
      await client.query(sql, values && [...values]);
    });
    await client.query('INSERT INTO knowledger_migration (id, checksum) VALUES ($1, $2)', [
      migration.id,
      checksum,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw new Error(`migration ${migration.id} failed: ${(error as Error).message}`, { cause: error });
  }
};

/**
 * Hashes the statements without differences in white space, so that reformatting the code changes nothing.
 */
export const checksumsOf = async (migrations: readonly Migration[]): Promise<ReadonlyMap<string, string>> => {
  const checksums = new Map<string, string>();
  for (const migration of migrations) {
    if (checksums.has(migration.id)) throw new Error(`migration ${migration.id} is defined twice`);
    const hash = createHash('sha256');
    await migration.up(async (sql, values = []) => {
      hash.update(JSON.stringify([sql.replaceAll(/\s+/g, ' ').trim(), values]));
    });
    checksums.set(migration.id, hash.digest('hex'));
  }
  return checksums;
};
