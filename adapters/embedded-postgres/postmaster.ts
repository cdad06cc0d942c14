import { spawnSync } from 'node:child_process';
import { readFile, readdir, readlink, realpath, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { ENVIRONMENT } from './identity.ts';

/** Maximum length of a socket path in bytes: 103 on macOS, 107 on Linux. */
const MAX_SOCKET_PATH_BYTES = 103;
/** Prefix of the socket file, for example `.s.PGSQL.5432`, and of its lock file. */
const SOCKET_PREFIX = '.s.PGSQL.';
const MAX_PORT = '65535';

/**
 * The folder for the Unix socket of a cluster's server. A query over it takes about two thirds of the time of
 * one over TCP, and only the owner of the folder can connect. Null if the system has no Unix sockets or the
 * path is too long; TCP is then used.
 */
export const socketFolder = (cluster: string): string | null => {
  if (process.platform === 'win32') return null;
  return Buffer.byteLength(join(cluster, SOCKET_PREFIX + MAX_PORT)) > MAX_SOCKET_PATH_BYTES ? null : cluster;
};

/**
 * Removes the socket files of a killed server. The next server would not: it uses another port, or mistakes
 * the pid in the old lock file for its own.
 */
export const removeSockets = async (cluster: string): Promise<void> => {
  for (const name of await readdir(cluster)) {
    if (name.startsWith(SOCKET_PREFIX)) await rm(join(cluster, name), { force: true });
  }
};

export interface Connection {
  /** An address, or the absolute path of the folder with the server's socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

export interface Postmaster {
  readonly pid: number;
  /**
   * The fastest address: the socket folder if there is one, else `HOST`, on which the server always listens.
   */
  readonly host: string;
  readonly port: number;
}

export const HOST = '127.0.0.1';
export const DATABASE = 'knowledger';
/** The superuser that initdb creates. Only this folder uses it, and only at startup. */
export const ADMINISTRATOR = 'knowledger';

/**
 * Reads what the server wrote about itself: `postmaster.pid` has one line each for pid, data directory, start
 * time, port, socket directory, address and more. Null if there is no file, or if it is not complete yet.
 */
export const readPostmaster = async (cluster: string): Promise<Postmaster | null> => {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  // Servers of earlier versions have no socket, and custom.conf may move it elsewhere.
  const host = lines[4] !== undefined && lines[4] === socketFolder(cluster) ? lines[4] : HOST;
  return pid > 0 && port > 0 ? { pid, host, port } : null;
};

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Whether that process is the server of that cluster, and not another process with the pid of a dead server.
 */
export const servesCluster = async (pid: number, cluster: string): Promise<boolean> => {
  if (!isAlive(pid)) return false;
  const clusterPath = await realpath(cluster).catch(() => cluster);
  if (process.platform === 'linux') {
    // The server's working directory is its data directory.
    return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === clusterPath;
  }
  if (process.platform === 'win32') return true;
  const command = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], {
    encoding: 'utf8',
    env: ENVIRONMENT,
  }).stdout;
  return command.includes(clusterPath) || command.includes(cluster);
};

/**
 * The Postgres processes of a cluster, whatever its pid file says: the server and its children, or the rest
 * of them after the server was killed. On systems other than Linux, only the process that the pid file names.
 */
export const processesOf = async (cluster: string): Promise<readonly number[]> => {
  if (process.platform !== 'linux') {
    const named = await readPostmaster(cluster);
    return named !== null && (await servesCluster(named.pid, cluster)) ? [named.pid] : [];
  }
  const clusterPath = await realpath(cluster).catch(() => null);
  const found: number[] = [];
  for (const entry of clusterPath === null ? [] : await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    if ((await readlink(`/proc/${entry}/cwd`).catch(() => '')) !== clusterPath) continue;
    // Other programs, such as a shell, may have the same working directory.
    const name = await readFile(`/proc/${entry}/comm`, 'utf8').catch(() => '');
    if (name.trim() === 'postgres') found.push(Number(entry));
  }
  return found;
};

export type ProbeResult = 'ours' | 'foreign' | 'starting' | 'stopping' | 'silent';

/**
 * Probes whether a server is up and serves this cluster. Only the administrator may read the data directory.
 * Returns `silent` as soon as the signal aborts.
 */
export const probe = async (
  connection: Connection,
  cluster: string,
  signal?: AbortSignal,
): Promise<ProbeResult> => {
  const client = new pg.Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  const destroySocket = (): void => void stream.destroy();
  signal?.addEventListener('abort', destroySocket, { once: true });
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    const [served, clusterPath] = await Promise.all([realpath(rows[0]!.data_directory), realpath(cluster)]);
    return served === clusterPath ? 'ours' : 'foreign';
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    if (code === '57P03') return message.includes('shutting down') ? 'stopping' : 'starting';
    return code?.startsWith('28') ? 'foreign' : 'silent';
  } finally {
    signal?.removeEventListener('abort', destroySocket);
    await client.end().catch(() => {});
  }
};
