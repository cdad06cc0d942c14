import { join } from 'node:path';
import { createDatabase } from '../adapters/postgres/database.ts';
import { eventStoreMigrations } from '../adapters/postgres/events/migration.ts';
import { migrate } from '../adapters/postgres/migrations/runner.ts';
import { projectionMigrations } from '../adapters/postgres/projections/migration.ts';
import { workMigrations } from '../adapters/postgres/work/migration.ts';
import { connectEmbeddedPostgres, startEmbeddedPostgres } from '../adapters/embedded-postgres/server.ts';
import type { Config } from './config.ts';
import type { AnyDatabase } from './tokens.ts';

export interface Databases {
  /** Where events are appended: every commit is on disk before it is acknowledged. */
  readonly events: AnyDatabase;
  /**
   * Read models and work under way. Their commits need not reach the disk at once: after a crash of the machine the
   * last of them are made again from the events, which did.
   */
  readonly views: AnyDatabase;
  readonly embedded: boolean;
  readonly close: () => Promise<void>;
}

/** Opens the databases of a service, starting the embedded server when none is configured, and brings them up to date. */
export const openDatabases = async (config: Config, log: (line: string) => void): Promise<Databases> => {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl !== undefined) return connected({ connectionString: databaseUrl }, false, async () => {});
  const server = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), log });
  try {
    return await connected(server.connection, true, server.stop);
  } catch (error) {
    await server.stop();
    throw error;
  }
};

/** For a command beside a running service: uses its server, or starts one for as long as the command runs. */
export const openDatabasesBeside = async (
  config: Config,
  log: (line: string) => void,
): Promise<Databases> => {
  if (config.databaseUrl !== undefined) return openDatabases(config, log);
  const running = await connectEmbeddedPostgres({ dataDir: join(config.dataDir, 'postgres') });
  return running === null ? openDatabases(config, log) : connected(running, true, async () => {});
};

type Address = Parameters<typeof createDatabase>[0];

const connected = async (
  address: Address,
  embedded: boolean,
  stop: () => Promise<void>,
): Promise<Databases> => {
  const events: AnyDatabase = createDatabase({ ...address, applicationName: 'knowledger-events' });
  const views: AnyDatabase = createDatabase({
    ...address,
    applicationName: 'knowledger-views',
    poolSize: 16,
    synchronousCommit: false,
  });
  await migrate(events.pool, [...eventStoreMigrations, ...projectionMigrations, ...workMigrations]);
  const close = async (): Promise<void> => {
    await Promise.all([events.close(), views.close()]);
    await stop();
  };
  return { events, views, embedded, close };
};
