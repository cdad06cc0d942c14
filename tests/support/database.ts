import { join } from 'node:path';
import { connectEmbeddedPostgres } from '../../adapters/embedded-postgres/server.ts';
import {
  type PostgresDatabase,
  createDatabase,
  type DatabaseAddress,
} from '../../adapters/postgres/connection.ts';
import type { Service } from './service.ts';

/** Where a service keeps what it keeps. */
export type Place = Pick<Service, 'dataDir' | 'backing'>;

/**
 * Lets the test look into the database of a service, past everything that the service answers. The embedded server
 * outlives a service that was killed, not one that was stopped.
 */
export const inDatabase = async <T>(
  place: Place,
  look: (database: PostgresDatabase) => Promise<T>,
): Promise<T> => {
  const database = createDatabase({ ...(await addressOf(place)), poolSize: 2 });
  try {
    return await look(database);
  } finally {
    await database.close();
  }
};

const addressOf = async ({ dataDir, backing }: Place): Promise<DatabaseAddress> => {
  if (backing.database !== null) return { connectionString: backing.database };
  const connection = await connectEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
  if (connection === null) throw new Error('no database is running');
  return connection;
};
