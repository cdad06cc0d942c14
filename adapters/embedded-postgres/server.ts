import { access, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { clusterOf, ensureCluster, ensurePassword, readPassword } from './cluster.ts';
import type { Runtime } from './cluster.ts';
import { launch } from './launch.ts';
import { DATABASE, HOST, USER, probe, readPostmaster, servesCluster } from './postmaster.ts';
import type { Connection } from './postmaster.ts';
import { prepareRuntime } from './runtime.ts';
import { takeServiceLock } from './service-lock.ts';
import { shutDown } from './shutdown.ts';

export type { Connection } from './postmaster.ts';

export interface EmbeddedPostgresOptions {
  /** A folder of its own: cluster, password, log and lock lie in it. Created if missing. */
  readonly dataDir: string;
  readonly log?: (line: string) => void;
  /** How long a server may take to answer, default 60,000; recovery after a crash may take longer. */
  readonly startTimeoutMs?: number;
  /** Further lines of postgresql.conf, for example `fsync = off` for a server that tests throw away. */
  readonly settings?: readonly string[];
}

export interface EmbeddedPostgres {
  readonly connection: Connection;
  /** True when the server of a crashed service was found running and taken over. */
  readonly adopted: boolean;
  /** Ends all connections and the server in good order, then frees the data directory. Later calls do nothing. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the native Postgres of a data directory, or takes over the one that a crashed service left running.
 *
 * One service at a time: a second one is refused while the first lives. Other programs connect to the running
 * server with `connectEmbeddedPostgres`. Works for an ordinary user and for root.
 *
 * @throws when the directory is in use, or the server cannot run; the message holds the end of the server's log
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const { log = () => {}, startTimeoutMs = 60_000, settings = [] } = options;
  const dataDir = resolve(options.dataDir);
  // As root, Postgres may have to run as another user, who must get through to its folder, but need not read any other.
  await mkdir(dirname(dataDir), { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = await takeServiceLock(dataDir);
  try {
    const password = await ensurePassword(dataDir);
    const runtime = await prepareRuntime(dataDir, log);
    const deadline = Date.now() + startTimeoutMs;
    const orphan = await adopt(dataDir, deadline);
    if (!orphan) await ensureCluster(runtime, dataDir, password);
    const port = orphan ?? (await launch(runtime, dataDir, { password, settings }, deadline));
    log(`embedded Postgres ${orphan ? 'taken over' : 'started'} on ${HOST}:${port}`);
    const connection = { host: HOST, port, user: USER, password, database: DATABASE };
    await ensureDatabase(connection);
    return { connection, adopted: orphan !== null, stop: stopOnce(runtime, dataDir, unlock) };
  } catch (error) {
    await unlock();
    throw error;
  }
};

/** The connection to the server that runs on this data directory, or null when none answers. Starts nothing. */
export const connectEmbeddedPostgres = async (options: {
  readonly dataDir: string;
}): Promise<Connection | null> => {
  const dataDir = resolve(options.dataDir);
  const cluster = clusterOf(dataDir);
  const [password, postmaster] = [await readPassword(dataDir), await readPostmaster(cluster)];
  if (password === null || postmaster === null) return null;
  const connection = { host: HOST, port: postmaster.port, user: USER, password, database: DATABASE };
  return (await probe(connection, cluster)) === 'ours' ? connection : null;
};

/** Whether a server was ever set up in this data directory. Starts and makes nothing. */
export const hasEmbeddedPostgres = ({ dataDir }: { readonly dataDir: string }): Promise<boolean> =>
  access(join(clusterOf(resolve(dataDir)), 'PG_VERSION')).then(
    () => true,
    () => false,
  );

/** The port of a server that is already running on this data directory; null when there is none to take over. */
const adopt = async (dataDir: string, deadline: number): Promise<number | null> => {
  const cluster = clusterOf(dataDir);
  const password = (await readPassword(dataDir)) ?? '';
  for (;;) {
    const postmaster = await readPostmaster(cluster);
    if (!postmaster || !(await servesCluster(postmaster.pid, cluster))) return null;
    const { pid, port } = postmaster;
    const answer = await probe({ host: HOST, port, user: USER, password, database: DATABASE }, cluster);
    if (answer === 'ours') return port;
    if (Date.now() > deadline) {
      throw new Error(
        `Postgres, process ${pid}, runs on ${cluster} but does not take connections (${answer})`,
      );
    }
    await delay(100);
  }
};

const ensureDatabase = async (connection: Connection): Promise<void> => {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  try {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [connection.database]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${connection.database}`);
  } finally {
    await client.end();
  }
};

const stopOnce = (runtime: Runtime, dataDir: string, unlock: () => Promise<void>): (() => Promise<void>) => {
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    try {
      await shutDown(runtime, clusterOf(dataDir));
    } finally {
      await unlock();
    }
  };
  return () => (stopping ??= stop());
};
