import { join } from 'node:path';
import {
  type DatabaseAddress as Address,
  type PostgresDatabase,
  createDatabase,
  type DatabaseOptions,
} from '../adapters/postgres/connection.ts';
import { eventStoreMigrations } from '../adapters/postgres/events/migrations.ts';
import { isMigrated, migrate } from '../adapters/postgres/migrate.ts';
import { projectionMigrations } from '../adapters/postgres/projections/versions.ts';
import { bindToEventStore } from '../adapters/postgres/work/database-identity.ts';
import { snapshotMigrations, workMigrations } from '../adapters/postgres/work/migrations.ts';
import { vectorMigrations } from '../adapters/postgres/vectors/migrations.ts';
import { vaultMigrations } from '../adapters/postgres/vault/vault.ts';
import {
  type EmbeddedPostgres,
  connectEmbeddedPostgres,
  hasEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../adapters/embedded-postgres/server.ts';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/environment.ts';
import { connectionShares } from './search-threads.ts';
import { databaseUrlError, dataDirError } from './start-errors.ts';
import { makeDirectory } from '../adapters/storage/disk/directories.ts';
import { traceStatements } from '../adapters/telemetry/traced-stores.ts';

export interface Databases {
  /** The database of the events: every commit is on disk before it is acknowledged. */
  readonly events: PostgresDatabase;
  /**
   * The database of read models and work in progress. If it also holds the events, its commits need not reach the disk
   * at once: after a machine crash the last of them are rebuilt from the events, which did. If the events are
   * elsewhere, every commit is on disk, so that a finished job is never remembered better than the pages that it
   * visited.
   */
  readonly views: PostgresDatabase;
  /** For health checks, which must not queue behind slow statements. */
  readonly watch: PostgresDatabase;
  /** The address of the database; search threads open their own connections. */
  readonly address: Address;
  readonly embedded: boolean;
  /** Rejects with the cause when the embedded server is lost and cannot be restarted. Needs no handler. */
  readonly failed: Promise<never>;
  /** Stops the embedded server, even if it is in use. `close` does so too, in an orderly way. */
  readonly stopServer: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Rejects when the signal aborts, even if the work itself cannot be cancelled. A migration, for example, fails only
 * when its server stops.
 */
export const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject);
  });

/** As root, Postgres runs as another user, who must be able to traverse to its folder but not read any other. */
const MODE = process.getuid?.() === 0 ? 0o711 : 0o700;

/** Creates the data directory and its parents if they are missing. @throws ConfigError that says what to do */
export const makeDataDir = async (dataDir: string): Promise<void> =>
  makeDirectory(dataDir, MODE).catch((error: unknown) => {
    throw dataDirError(dataDir, error);
  });

/** A server of the operator: the service neither watches nor stops it. */
const EXTERNAL_SERVER = { lost: new Promise<never>(() => {}), stop: async (): Promise<void> => {} };
type Server = Pick<EmbeddedPostgres, 'lost' | 'stop'>;

/**
 * Opens the databases of a service and migrates them; starts the embedded server if none is configured.
 *
 * @param signal aborted: the start is cancelled within about a second, leaves no embedded server behind, and rejects
 */
export const openDatabases = async (
  config: Config,
  log: (line: string, level: 'info' | 'warn') => void,
  signal: AbortSignal = new AbortController().signal,
): Promise<Databases> => {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl !== undefined) {
    const connecting = connected(config, { connectionString: databaseUrl }, false, EXTERNAL_SERVER);
    return unlessAborted(connecting, signal).catch((error: unknown) => {
      throw databaseUrlError(error, databaseUrl);
    });
  }
  await makeDataDir(dataDir);
  const server = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), log, signal }).catch(
    (error: unknown) => {
      throw dataDirError(dataDir, error);
    },
  );
  try {
    return await unlessAborted(connected(config, server.connection, true, server), signal);
  } catch (error) {
    await server.stop();
    throw error;
  }
};

/**
 * For a command beside a running service: uses its server, or starts one for as long as the command runs.
 *
 * @throws ConfigError when no service has ever stored data there: a mistyped path must not become a second, empty
 * database
 */
export const openDatabasesBeside = async (
  config: Config,
  log: (line: string) => void,
): Promise<Databases> => {
  const { databaseUrl } = config;
  const dataDir = join(config.dataDir, 'postgres');
  const running = databaseUrl === undefined ? await connectEmbeddedPostgres({ dataDir }) : null;
  if (databaseUrl !== undefined) await mustHoldData({ connectionString: databaseUrl }, 'DATABASE_URL');
  else if (running === null && !(await hasEmbeddedPostgres({ dataDir }))) throw noData(config.dataDir);
  if (running === null) return openDatabases(config, log);
  await mustHoldData(running, config.dataDir);
  return connected(config, running, true, EXTERNAL_SERVER);
};

const mustHoldData = async (address: Address, place: string): Promise<void> => {
  const { pool, close } = createDatabase({ ...address, poolSize: 1, applicationName: 'knowledger-look' });
  try {
    if (!(await isMigrated(pool))) throw noData(place);
  } catch (error) {
    throw place === 'DATABASE_URL' && 'connectionString' in address
      ? databaseUrlError(error, address.connectionString)
      : error;
  } finally {
    await close();
  }
};

const noData = (place: string): ConfigError =>
  new ConfigError(
    `${place} contains no data of a service: run "npm start" once, or name the one that it uses with ` +
      'KNOWLEDGER_DATA_DIR or DATABASE_URL',
  );

const serverOf = (address: Address) => ({
  'server.address': 'host' in address ? address.host : new URL(address.connectionString).hostname,
});

const connected = async (
  config: Config,
  address: Address,
  embedded: boolean,
  server: Server,
): Promise<Databases> => {
  const eventsHere = config.eventStoreUrl === undefined;
  const [forEvents, forViews] = connectionsFor(config);
  const pool = (name: string, poolSize: number, options: Partial<DatabaseOptions> = {}): PostgresDatabase =>
    createDatabase({ ...address, applicationName: `knowledger-${name}`, poolSize, ...options });
  const events = pool('events', forEvents);
  const views = pool('views', connectionShares(config, forViews).own, { synchronousCommit: !eventsHere });
  const watch = pool('watch', MAX_WATCH_CONNECTIONS, { statementTimeoutMs: WATCH_TIMEOUT_MS });
  if (config.telemetry.traces)
    for (const { pool: traced } of [events, views]) traceStatements(traced, serverOf(address));
  const closePools = () => Promise.all([events.close(), views.close(), watch.close()]);
  const close = async (): Promise<void> => {
    await closePools();
    await server.stop();
  };
  try {
    const log = eventsHere ? eventStoreMigrations : [];
    await migrate(events.pool, [
      ...log,
      ...projectionMigrations,
      ...vaultMigrations,
      ...workMigrations,
      ...snapshotMigrations,
      ...vectorMigrations,
    ]);
    // A restored log may be ahead of this server's transaction ids and could not be read then.
    if (eventsHere) await events.pool.query('SELECT es.align_clock()');
    const kind = eventsHere ? 'postgres' : 'eventstoredb';
    await bindToEventStore(events.pool, kind, config.eventStorePrefix);
    return {
      events,
      views,
      watch,
      address,
      embedded,
      failed: failureOf(server),
      stopServer: server.stop,
      close,
    };
  } catch (error) {
    await closePools();
    throw error;
  }
};

/**
 * Usually one connection is used. A new probe does not wait for a connection on which the server went silent; that one
 * is closed soon.
 */
const [MAX_WATCH_CONNECTIONS, WATCH_TIMEOUT_MS] = [4, 2_000];

/** Connections for the log, and for everything else. */
export const connectionsFor = ({ databaseConnections }: Pick<Config, 'databaseConnections'>) => {
  const forEvents = Math.ceil(databaseConnections / 3);
  return [forEvents, databaseConnections - forEvents] as const;
};

const failureOf = (server: Server): Promise<never> => {
  const failed = server.lost.then((error): never => {
    throw error;
  });
  failed.catch(() => {});
  return failed;
};
