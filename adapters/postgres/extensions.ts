import pg from 'pg';
import { underMigrationLock } from './migrate.ts';

/** An extension that statements in this database may use. */
export interface Extension {
  /** Installed version, for example `0.8.1`; the server may have files of a newer one. */
  readonly version: string;
  /** Schema of its types, functions and operators, which may not be on the search path. */
  readonly schema: string;
}

export interface Extensions {
  readonly usable: ReadonlyMap<string, Extension>;
  /**
   * Extensions that the server offers but this database lacks, with the server's reason for not creating
   * them.
   */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Returns which of these extensions this database has. Creates those that the server offers; if that is
 * rejected, the service works without them. An extension that the server does not offer is in neither map.
 */
export const extensionsOf = async (
  pool: Pick<pg.Pool, 'query' | 'connect'>,
  names: readonly string[],
): Promise<Extensions> => {
  const missing = await pool.query<{ name: string }>(MISSING, [names]);
  const refused = new Map<string, string>();
  if (missing.rows.length > 0)
    await underMigrationLock(pool, async (client) => {
      for (const { name } of missing.rows)
        await client.query(`CREATE EXTENSION IF NOT EXISTS ${pg.escapeIdentifier(name)}`).catch((error) => {
          refused.set(name, (error as Error).message);
        });
    });
  const { rows } = await pool.query<Extension & { readonly name: string }>(USABLE, [names]);
  return { usable: new Map(rows.map(({ name, version, schema }) => [name, { version, schema }])), refused };
};

const MISSING = `
  SELECT name FROM pg_available_extensions WHERE name = ANY($1) AND installed_version IS NULL ORDER BY name`;
const USABLE = `
  SELECT e.extname AS name, e.extversion AS version, n.nspname AS schema
  FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = ANY($1)`;

/** Compares versions number by number: `0.10` is after `0.9`. */
export const isAtLeast = (version: string, least: string): boolean => {
  const [is, wanted] = [version, least].map((of) =>
    of.split('.').map((part) => Number.parseInt(part, 10) || 0),
  );
  for (const [i, part] of (wanted ?? []).entries()) {
    const difference = (is?.[i] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
};
