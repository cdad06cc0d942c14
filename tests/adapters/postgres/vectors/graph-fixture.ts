import { sql } from 'kysely';
import { extensionsOf } from '../../../../adapters/postgres/extensions.ts';
import type { Sql } from '../../../../adapters/postgres/database-schema.ts';
import type { Graphs } from '../../../../adapters/postgres/vectors/graph-search.ts';
import { startPglite } from '../../../support/pglite.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { type CatalogFixture, catalogMigrations, openCatalog } from '../catalog/catalog-fixture.ts';

/**
 * A catalog on a server that has pgvector: that of `DATABASE_URL_TEST` where it has it and lets this user create it,
 * else PGlite, see there for what it cannot show.
 */
export const openGraphCatalog = async (): Promise<CatalogFixture> => {
  const database = (await onServerOfTests()) ?? (await startPglite(['vector'], catalogMigrations));
  await extensionsOf(database.pool, ['vector']);
  return openCatalog(database);
};

/** The embedded server never has the extension: it is not even started to find out. */
const onServerOfTests = async () => {
  if (!process.env['DATABASE_URL_TEST']) return null;
  const database = await freshDatabase(catalogMigrations);
  const { usable } = await extensionsOf(database.pool, ['vector']);
  if (usable.has('vector')) return database;
  await database.close();
  return null;
};

/** Graphs of more than so many contents; an error fails the test that it happens in. */
export const graphsFrom = (exactUpTo: number): Graphs => ({
  schema: 'public',
  exactUpTo,
  onError: (error) => {
    throw error;
  },
});

/** How often a graph was searched since the server started. */
export const graphScans = async (db: Sql): Promise<number> => {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ scans: number }>`
    select coalesce(sum(idx_scan), 0)::bigint as scans from pg_stat_user_indexes
    where schemaname = 'vectors' and indexrelname ~ '^graph_[0-9]+$'`.execute(db);
  return rows[0]?.scans ?? 0;
};

/** How many vectors all graphs hold, and how many graphs there are: rows, and indexes. */
export const graphSizes = async (db: Sql) => {
  const { rows } = await sql`
    select (select count(*) from vectors.graph_vector) as vectors, (select count(*) from vectors.graph) as graphs,
      (select count(*) from pg_indexes where schemaname = 'vectors' and indexname ~ '^graph_[0-9]+$') as indexes`.execute(
    db,
  );
  return rows[0];
};
