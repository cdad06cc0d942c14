import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import {
  type PostgresDatabase,
  type DatabaseAddress,
  type DatabaseOptions,
  createDatabase,
} from '../../adapters/postgres/connection.ts';
import { type Migration, checksumsOf, migrate } from '../../adapters/postgres/migrate.ts';
import { askBroker } from './ask-broker.ts';

export interface FreshDatabase extends PostgresDatabase {
  readonly name: string;
  readonly address: DatabaseAddress;
  /** Closes the pool and drops the database, whoever is still connected to it. */
  readonly close: () => Promise<void>;
}

/**
 * A database of its own with these migrations applied, copied from a template that the run makes once per list.
 * Call it in `beforeAll`, and `close` in `afterAll`.
 */
export const freshDatabase = async (
  migrations: readonly Migration[] = [],
  options: Partial<Pick<DatabaseOptions, 'poolSize' | 'statementTimeoutMs'>> = {},
  findServer: () => Promise<DatabaseAddress> = serverAddress,
): Promise<FreshDatabase> => {
  const server = await findServer();
  return copied(server, (client) => ensureTemplate(server, client, migrations), options);
};

/** A database with the content of another one, to which nobody is connected. */
export const copyOfDatabase = async (
  template: string,
  findServer: () => Promise<DatabaseAddress> = serverAddress,
): Promise<FreshDatabase> => copied(await findServer(), async () => template);

const copied = async (
  server: DatabaseAddress,
  findTemplate: (client: pg.Client) => Promise<string>,
  options: Partial<Pick<DatabaseOptions, 'poolSize' | 'statementTimeoutMs'>> = {},
): Promise<FreshDatabase> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, async (client) => {
    // By its files: that takes less than half of the processor time of writing each page to the log as well.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${await findTemplate(client)} STRATEGY FILE_COPY`);
  });
  const address = within(server, name);
  const database = createDatabase({ ...address, poolSize: 5, ...options });
  return {
    ...database,
    name,
    address,
    close: async () => {
      await database.close();
      await administer(server, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
};

/** The address of the run's Postgres, its maintenance database. */
export const serverAddress = async (broker?: string): Promise<DatabaseAddress> => {
  // Only here: the setup of the run uses this file too, outside of any test.
  broker ??= (await import('vitest')).inject('postgresBroker');
  return within(await askBroker<DatabaseAddress>(broker), 'postgres');
};

const within = (server: DatabaseAddress, database: string): DatabaseAddress => {
  if (!('connectionString' in server)) return { ...server, database };
  const url = new URL(server.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
};

const administer = async <T>(
  server: DatabaseAddress,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client(server);
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const ensureTemplate = async (
  server: DatabaseAddress,
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<string> => {
  const content = JSON.stringify([...(await checksumsOf(migrations))]);
  const template = `template_${createHash('sha256').update(content).digest('hex').slice(0, 32)}`;
  await client.query('SELECT pg_advisory_lock(7701)');
  const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
  if (found.rowCount === 0) {
    const draft = `draft_${randomUUID().replaceAll('-', '')}`;
    await client.query(`CREATE DATABASE ${draft}`);
    const database = createDatabase({ ...within(server, draft), poolSize: 1 });
    try {
      await migrate(database.pool, migrations);
    } finally {
      await database.close();
    }
    // Renamed when it is whole: a template that exists is always complete.
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
  }
  await client.query('SELECT pg_advisory_unlock(7701)');
  return template;
};
