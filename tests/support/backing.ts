import type { DatabaseAddress } from '../../adapters/postgres/database.ts';
import type { StandIn } from './eventstoredb/stand-in.ts';

/** Where the services of this run keep their data: on the embedded default, or on servers as many machines would. */
export const STORE = storeOf(process.env['KNOWLEDGER_TEST_STORE'] ?? 'embedded');
export type Store = 'embedded' | 'postgres' | 'eventstoredb';

export interface Backing {
  /** What a service must be told to use it. */
  readonly env: { readonly [name: string]: string };
  /** The database, unless the service starts one of its own. */
  readonly database: string | null;
  /** What stands in for EventStoreDB, if the events are there. */
  readonly standIn?: StandIn;
  readonly close: () => Promise<void>;
}

/** A new and empty one. */
export const openBacking = async (store: Store = STORE): Promise<Backing> => {
  if (store === 'embedded') return { env: {}, database: null, close: async () => {} };
  // Only here, because benchmarks use this file too, and run outside of Vitest.
  const { freshDatabase } = await import('./postgres.ts');
  const { address, close } = await freshDatabase();
  const database = urlOf(address);
  if (store === 'postgres') return { env: { DATABASE_URL: database }, database, close };
  const { startStandIn } = await import('./eventstoredb/stand-in.ts');
  const standIn = await startStandIn();
  return {
    env: { DATABASE_URL: database, EVENTSTORE_URL: standIn.connectionString },
    database,
    standIn,
    close: async () => {
      await standIn.close();
      await close();
    },
  };
};

const urlOf = (address: DatabaseAddress): string => {
  if ('connectionString' in address) return address.connectionString;
  const { host, port, user, password, database } = address;
  return `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
};

function storeOf(name: string): Store {
  if (name === 'embedded' || name === 'postgres' || name === 'eventstoredb') return name;
  throw new Error(`KNOWLEDGER_TEST_STORE takes embedded, postgres or eventstoredb, not "${name}"`);
}
