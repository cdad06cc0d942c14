import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DatabaseAddress } from '../../adapters/postgres/connection.ts';
import { askBroker } from './ask-broker.ts';
import { urlOf } from './database-url.ts';
import type { StandIn } from './eventstoredb/stand-in.ts';

/** Where the services of this run keep their data: on the embedded default, or on servers as many machines would. */
export const STORE = storeOf(process.env['KNOWLEDGER_TEST_STORE']);
export type Store = 'embedded' | 'postgres' | 'eventstoredb';

export interface Backing {
  /** What a service must be told to use it. */
  readonly env: { readonly [name: string]: string };
  /** The database, unless the service starts one of its own. */
  readonly database: string | null;
  /** What stands in for EventStoreDB, if the events are there. */
  readonly standIn?: StandIn;
  /** Puts into a data directory that is new what the first start would have to make; faster than that. */
  readonly prepare?: (dataDir: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Where backings come from: the Postgres of the run, and what is copied: a data directory, and databases by their names. */
interface Origins {
  readonly postgres: () => Promise<DatabaseAddress>;
  readonly prepared: () => Promise<string>;
  readonly template: (store: 'postgres' | 'eventstoredb') => Promise<string>;
}

/** A new one, as the first start of a service leaves it. `origins`: unless a test asks. */
export const openBacking = (store: Store = STORE, origins = ofThisRun()): Promise<Backing> =>
  open(store, origins);

/** A new one in which there is nothing at all: no table, no directory. */
export const openEmptyBacking = (store: Store): Promise<Backing> => open(store, {});

const open = async (store: Store, { postgres, prepared, template }: Partial<Origins>): Promise<Backing> => {
  if (store === 'embedded') return embedded(prepared);
  // Only here, because benchmarks use this file too, and run outside of Vitest.
  const { copyOfDatabase, freshDatabase } = await import('./postgres.ts');
  const { address, close } =
    template === undefined
      ? await freshDatabase([], {}, postgres)
      : await copyOfDatabase(await template(store), postgres);
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

const embedded = (prepared: (() => Promise<string>) | undefined): Backing => ({
  env: {},
  database: null,
  close: async () => {},
  ...(prepared !== undefined && {
    prepare: async (dataDir) => {
      const own = join(dataDir, 'postgres');
      const isThere = await access(own).then(
        () => true,
        () => false,
      );
      // `cp` keeps the owner, and shares the bytes where the file system can.
      if (!isThere) await promisify(execFile)('cp', ['-a', join(await prepared(), 'postgres'), own]);
    },
  }),
});

/** What the broker of the run answers. Where there is none, as in benches, a service makes its own. */
const ofThisRun = (): Partial<Origins> => {
  if (process.env['VITEST'] === undefined) return {};
  const ask = async (path: string): Promise<string> => {
    const { inject } = await import('vitest');
    return askBroker<string>(new URL(path, inject('serviceBroker')).href);
  };
  return { prepared: () => ask('/prepared'), template: (store) => ask(`/template/${store}`) };
};

export function storeOf(name = 'embedded'): Store {
  if (name === 'embedded' || name === 'postgres' || name === 'eventstoredb') return name;
  throw new Error(`KNOWLEDGER_TEST_STORE takes embedded, postgres or eventstoredb, not "${name}"`);
}
