import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { adopt, type ServerProcess } from './server-process.ts';
import { checkCluster, clusterExists, clusterOf, createCluster } from './cluster.ts';
import { chownTo } from './identity.ts';
import { recentLog, launch, launchOn } from './launch.ts';
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
import { explainStartError } from './start-error.ts';
import { supervise } from './supervision.ts';

export type { Connection } from './postmaster.ts';

export interface EmbeddedPostgresOptions {
  /** A folder for this server alone, with the cluster, password, log and lock. Created if missing. */
  readonly dataDir: string;
  readonly log?: (line: string, level: 'info' | 'warn') => void;
  /** Further lines of postgresql.conf, for example `fsync = off` for a test server. */
  readonly settings?: readonly string[];
  /** On abort, the start ends within about a second, leaves nothing running, and rejects with the reason. */
  readonly signal?: AbortSignal;
}

export interface EmbeddedPostgres {
  /**
   * Connects as the service's role, which owns its database and is not a superuser. Constant while this
   * server runs.
   */
  readonly connection: Connection;
  /** Connects as the superuser, for callers that need databases of their own. */
  readonly administrator: Connection;
  /** True if the server of a crashed service was still running and was adopted. */
  readonly adopted: boolean;
  /**
   * Resolves with the reason if the server has exited and could not be restarted for a minute. Never rejects.
   */
  readonly lost: Promise<Error>;
  /**
   * Ends all connections and the server in order, then releases the data directory. Later calls do nothing.
   */
  readonly stop: () => Promise<void>;
}

/** How long the server may be silent; recovery after a crash may take longer. */
const START_MS = 60_000;
/** A server that ran before answers soon, or reports that it is recovering. */
const RESTART_MS = 20_000;

/**
 * Starts the native Postgres of a data directory, or adopts the one that a crashed service left running.
 * Restarts it on the same port if it exits before `stop`. If this process exits without `stop`, it signals
 * the server to stop.
 *
 * One service at a time: a second one is rejected while the first runs. Other programs connect to the running
 * server with `connectEmbeddedPostgres`. Works for an ordinary user and for root.
 *
 * @throws when the directory is in use or the server cannot run; the message contains the end of the server's
 * log
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const dataDir = resolve(options.dataDir);
  const cluster = clusterOf(dataDir);
  // If we are root, Postgres may have to run as another user, who must traverse the path to its folder but
  // not read others.
  await mkdir(dirname(dataDir), { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = await takeServiceLock(dataDir, async () => (await processesOf(cluster))[0] ?? null);
  let runtime: Runtime | undefined;
  try {
    runtime = await prepareRuntime(dataDir, (line) => options.log?.(line, 'info'));
    return await startLocked(runtime, dataDir, options, unlock);
  } catch (error) {
    if (runtime !== undefined)
      await shutDown(runtime, cluster, options.signal?.aborted ? 'atOnce' : 'orderly');
    await unlock();
    throw options.signal?.aborted ? error : await explainStartError(dataDir, error as Error);
  }
};

const startLocked = async (
  runtime: Runtime,
  dataDir: string,
  { log = () => {}, settings = [], signal }: EmbeddedPostgresOptions,
  unlock: () => Promise<void>,
): Promise<EmbeddedPostgres> => {
  const warn = (line: string): void => log(line, 'warn');
  const cluster = clusterOf(dataDir);
  if (await clusterExists(dataDir)) await checkCluster(runtime, dataDir, signal);
  const password = await ensurePassword(runtime, dataDir, warn, signal);
  const orphan = await adopt(runtime, dataDir, password, signal);
  const options = { password, settings, signal, deadline: Date.now() + START_MS };
  const server = orphan ?? (await launchCluster(runtime, dataDir, options));
  const { port } = server;
  log(`embedded Postgres ${orphan ? 'taken over' : 'started'} on ${HOST}:${port}`, 'info');
  // The actual address: `custom.conf` may change the socket settings.
  const host = (await readPostmaster(cluster))?.host ?? HOST;
  const [administrator, connection] = connections({ host, port }, password);
  await ensureServiceRole(administrator, connection.password);
  signal?.throwIfAborted();
  const supervision = supervise(server, {
    restart: async (ending) => {
      const again = { password, settings, signal: ending, deadline: Date.now() + RESTART_MS };
      return launchOn(runtime, dataDir, again, port).catch(async (error: Error) => {
        throw await explainStartError(dataDir, error);
      });
    },
    recentLog: () => recentLog(dataDir),
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

const launchCluster = async (
  runtime: Runtime,
  dataDir: string,
  options: Parameters<typeof launch>[2],
): Promise<ServerProcess> => {
  if (await clusterExists(dataDir)) await chownTo(runtime.identity, clusterOf(dataDir));
  else await createCluster(runtime, dataDir, options.password, options.signal);
  return launch(runtime, dataDir, options);
};

/** The connections of the administrator and of the service. */
const connections = (
  { host, port }: Pick<Connection, 'host' | 'port'>,
  password: string,
): readonly [Connection, Connection] => {
  const server = { host, port, database: DATABASE };
  return [
    { ...server, user: ADMINISTRATOR, password },
    { ...server, user: SERVICE, password: servicePassword(password) },
  ];
};

const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
};

/** Connects to the server that runs on this data directory; null if none answers. Starts nothing. */
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

/** Whether a server was ever set up in this data directory. Starts and creates nothing. */
export const hasEmbeddedPostgres = ({ dataDir }: { readonly dataDir: string }): Promise<boolean> =>
  clusterExists(resolve(dataDir));
