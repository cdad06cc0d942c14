import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseAddress } from '../../adapters/postgres/connection.ts';
import { createVersion } from '../../adapters/postgres/projections/versions.ts';
import { readConfig } from '../../composition/config/config.ts';
import { openDatabases } from '../../composition/databases.ts';
import { urlOf } from './database-url.ts';
import { freshDatabase } from './postgres.ts';
import { PROJECTIONS } from './views.ts';

/** What the first start of a service would make, while there is no event yet: all tables, and all views. */
const makeReady = async (env: { readonly [name: string]: string }): Promise<void> => {
  const { views, close } = await openDatabases(readConfig(env, false), () => {});
  try {
    for (const projection of PROJECTIONS) await createVersion(views.db, projection, true);
  } finally {
    await close();
  }
};

/** A data directory to copy, with an embedded Postgres that has been stopped. */
export const prepareData = async (): Promise<{
  readonly dataDir: string;
  readonly remove: () => Promise<void>;
}> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'knowledger-prepared-'));
  await makeReady({ KNOWLEDGER_DATA_DIR: dataDir });
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
};

/** A database to copy, for services whose events are there too, or in EventStoreDB. */
export const prepareDatabase = async (
  store: 'postgres' | 'eventstoredb',
  server: () => Promise<DatabaseAddress>,
): Promise<{ readonly name: string; readonly remove: () => Promise<void> }> => {
  const { name, address, close } = await freshDatabase([], {}, server);
  await makeReady({
    DATABASE_URL: urlOf(address),
    // Nobody is asked: it only matters where events are to be.
    ...(store === 'eventstoredb' && { EVENTSTORE_URL: 'esdb://127.0.0.1:9?tls=false' }),
  });
  return { name, remove: close };
};
