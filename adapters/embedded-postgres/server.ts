import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { adopt, type ServerProcess } from './running.ts';
import { checkCluster, clusterExists, clusterOf, makeCluster } from './cluster.ts';
import { giveTo } from './identity.ts';
import { lastWords, launch, launchOn } from './launch.ts';
import { ensurePassword, readPassword, servicePassword, ensureServiceRole, SERVICE } from './credentials.ts';
import {
  ADMINISTRATOR,
  type Connection,
  DATABASE,
  HOST,
  probe,
  processesOf,
  readPostmaster,
} from './postmaster.ts';
import type { Runtime } from './program.ts';
import { prepareRuntime } from './runtime.ts';
import { takeServiceLock } from './service-lock.ts';
import { shutDown } from './shutdown.ts';
import { withReason } from './start-error.ts';
import { supervise } from './supervision.ts';

export type { Connection } from './postmaster.ts';

export interface EmbeddedPostgresOptions {
  /** A folder of its own: cluster, password, log and lock lie in it. Created if missing. */
  readonly dataDir: string;
  readonly log?: (line: string, level: 'info' | 'warn') => void;
  /** How long a server may be silent, default 60,000; recovery after a crash may take longer. */
  readonly startTimeoutMs?: number;
  /** Further lines of postgresql.conf, for example `fsync = off` for a server that tests throw away. */
  readonly settings?: readonly string[];
  /** Aborted: the start is given up within about a second, with nothing left running, and rejects with the reason. */
  readonly signal?: AbortSignal;
}

export interface EmbeddedPostgres {
  /** Of the service's role, which owns its database and is no superuser. It stays the same for as long as this runs. */
  readonly connection: Connection;
  /** Of the superuser, for whoever needs databases of their own. */
  readonly administrator: Connection;
  /** True when the server of a crashed service was found running and taken over. */
  readonly adopted: boolean;
  /** Resolves when the server is gone and could not be started again for a minute, with why. Never rejects. */
  readonly lost: Promise<Error>;
  /** Ends all connections and the server in good order, then frees the data directory. Later calls do nothing. */
  readonly stop: () => Promise<void>;
}

/** A server that was there before answers soon, or says that it recovers. */
const RESTART_MS = 20_000;

/**
 * Starts the native Postgres of a data directory, or takes over the one that a crashed service left running. If it ends
 * before it is stopped, it is started again on the same port. A process that exits without `stop` tells it to stop.
 *
 * One service at a time: a second one is refused while the first lives. Other programs connect to the running
 * server with `connectEmbeddedPostgres`. Works for an ordinary user and for root.
 *
 * @throws when the directory is in use, or the server cannot run; the message holds the end of the server's log
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const dataDir = resolve(options.dataDir);
  const cluster = clusterOf(dataDir);
  // As root, Postgres may have to run as another user, who must get through to its folder, but need not read any other.
  await mkdir(dirname(dataDir), { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = await takeServiceLock(dataDir, async () => (await processesOf(cluster))[0] ?? null);
  let runtime: Runtime | undefined;
  try {
    runtime = await prepareRuntime(dataDir, (line) => options.log?.(line, 'info'));
    return await started(runtime, dataDir, options, unlock);
  } catch (error) {
    if (runtime !== undefined)
      await shutDown(runtime, cluster, options.signal?.aborted ? 'atOnce' : 'orderly');
    await unlock();
    throw options.signal?.aborted ? error : await withReason(dataDir, error as Error);
  }
};

const started = async (
  runtime: Runtime,
  dataDir: string,
  { log = () => {}, startTimeoutMs = 60_000, settings = [], signal }: EmbeddedPostgresOptions,
  unlock: () => Promise<void>,
): Promise<EmbeddedPostgres> => {
  const warn = (line: string): void => log(line, 'warn');
  const cluster = clusterOf(dataDir);
  if (await clusterExists(dataDir)) await checkCluster(runtime, dataDir, signal);
  const password = await ensurePassword(runtime, dataDir, warn, signal);
  const orphan = await adopt(runtime, dataDir, password, signal);
  const options = { password, settings, signal, deadline: Date.now() + startTimeoutMs };
  const server = orphan ?? (await fresh(runtime, dataDir, options));
  const { port } = server;
  log(`embedded Postgres ${orphan ? 'taken over' : 'started'} on ${HOST}:${port}`, 'info');
  // What it listens on by now: an operator's own settings may say something else of sockets.
  const host = (await readPostmaster(cluster))?.host ?? HOST;
  const [administrator, connection] = connections({ host, port }, password);
  await ensureServiceRole(administrator, connection.password);
  signal?.throwIfAborted();
  const supervision = supervise(server, {
    restart: async (ending) => {
      const again = { password, settings, signal: ending, deadline: Date.now() + RESTART_MS };
      return launchOn(runtime, dataDir, again, port).catch(async (error: Error) => {
        throw await withReason(dataDir, error);
      });
    },
    lastWords: () => lastWords(dataDir),
    clock: Date,
    sleep: (ms, ending) => delay(ms, undefined, { signal: ending }).catch(() => {}),
    warn,
  });
  const stop = once(async () => {
    try {
      await supervision.end();
      await shutDown(runtime, cluster);
    } finally {
      await unlock();
    }
  });
  return { connection, administrator, adopted: orphan !== null, lost: supervision.lost, stop };
};

const fresh = async (
  runtime: Runtime,
  dataDir: string,
  options: Parameters<typeof launch>[2],
): Promise<ServerProcess> => {
  if (await clusterExists(dataDir)) await giveTo(runtime.identity, clusterOf(dataDir));
  else await makeCluster(runtime, dataDir, options.password, options.signal);
  return launch(runtime, dataDir, options);
};

/** Of the administrator, and of the service. */
const connections = (
  { host, port }: Pick<Connection, 'host' | 'port'>,
  password: string,
): readonly [Connection, Connection] => {
  const place = { host, port, database: DATABASE };
  return [
    { ...place, user: ADMINISTRATOR, password },
    { ...place, user: SERVICE, password: servicePassword(password) },
  ];
};

const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
};

/** The connection to the server that runs on this data directory, or null when none answers. Starts nothing. */
export const connectEmbeddedPostgres = async (options: {
  readonly dataDir: string;
}): Promise<Connection | null> => {
  const dataDir = resolve(options.dataDir);
  const cluster = clusterOf(dataDir);
  const [password, postmaster] = [await readPassword(dataDir), await readPostmaster(cluster)];
  if (password === null || postmaster === null) return null;
  const [administrator, connection] = connections(postmaster, password);
  return (await probe(administrator, cluster)) === 'ours' ? connection : null;
};

/** Whether a server was ever set up in this data directory. Starts and makes nothing. */
export const hasEmbeddedPostgres = ({ dataDir }: { readonly dataDir: string }): Promise<boolean> =>
  clusterExists(resolve(dataDir));
