import { spawnSync } from 'node:child_process';
import { readFile, readdir, readlink, realpath, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { ENVIRONMENT } from './identity.ts';

/** Bytes of a path to a socket: 103 on macOS, 107 on Linux. */
const LONGEST = 103;
/** `.s.PGSQL.5432`, and its lock. */
const SOCKET = '.s.PGSQL.';
const LONGEST_PORT = '65535';

/**
 * The folder for the socket of a cluster's server: a call through it costs some two thirds of one over TCP, and only the
 * owner of the folder gets there. Null where there are no such sockets, or the path to it would be too long: then TCP.
 */
export const socketFolder = (cluster: string): string | null => {
  if (process.platform === 'win32') return null;
  return Buffer.byteLength(join(cluster, SOCKET + LONGEST_PORT)) > LONGEST ? null : cluster;
};

/** What a server that was killed has left. The next one has another port, or takes the pid in its lock for its own. */
export const removeSockets = async (cluster: string): Promise<void> => {
  for (const name of await readdir(cluster)) {
    if (name.startsWith(SOCKET)) await rm(join(cluster, name), { force: true });
  }
};

export interface Connection {
  /** An address, or the absolute path of the folder that the server's socket lies in. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

export interface Postmaster {
  readonly pid: number;
  /** Where calls to it cost least; it always listens on `HOST` as well. */
  readonly host: string;
  readonly port: number;
}

export const HOST = '127.0.0.1';
export const DATABASE = 'knowledger';
/** Who initdb makes, a superuser for good: for this folder alone, at starts. */
export const ADMINISTRATOR = 'knowledger';

/**
 * What the server wrote about itself: `postmaster.pid` has one line each for pid, data directory, start time,
 * port, socket directory, address and more. Null when there is no file, or one too young to be complete.
 */
export const readPostmaster = async (cluster: string): Promise<Postmaster | null> => {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  // Servers of earlier versions have no socket, and those of operators who say so in custom.conf have it elsewhere.
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

/** Whether that process is the server of that cluster, and not another that was given a dead server's pid. */
export const servesCluster = async (pid: number, cluster: string): Promise<boolean> => {
  if (!isAlive(pid)) return false;
  const own = await realpath(cluster).catch(() => cluster);
  if (process.platform === 'linux') {
    // The server works in its data directory.
    return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === own;
  }
  if (process.platform === 'win32') return true;
  const shown = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], {
    encoding: 'utf8',
    env: ENVIRONMENT,
  }).stdout;
  return shown.includes(own) || shown.includes(cluster);
};

/**
 * The processes of Postgres that work in a cluster, whatever its pid file says: the server and its children, or what is
 * left of them when the server was killed. Known on Linux only; elsewhere the one that the file names.
 */
export const processesOf = async (cluster: string): Promise<readonly number[]> => {
  if (process.platform !== 'linux') {
    const named = await readPostmaster(cluster);
    return named !== null && (await servesCluster(named.pid, cluster)) ? [named.pid] : [];
  }
  const own = await realpath(cluster).catch(() => null);
  const found: number[] = [];
  for (const entry of own === null ? [] : await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    if ((await readlink(`/proc/${entry}/cwd`).catch(() => '')) !== own) continue;
    // Somebody's shell may be there too.
    const name = await readFile(`/proc/${entry}/comm`, 'utf8').catch(() => '');
    if (name.trim() === 'postgres') found.push(Number(entry));
  }
  return found;
};

export type Answer = 'ours' | 'foreign' | 'starting' | 'stopping' | 'silent';

/**
 * Asks the server behind a connection whether it is up and serves that cluster; only the administrator is told. `silent`
 * at once when the signal aborts.
 */
export const probe = async (
  connection: Connection,
  cluster: string,
  signal?: AbortSignal,
): Promise<Answer> => {
  const client = new pg.Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  const breakOff = (): void => void stream.destroy();
  signal?.addEventListener('abort', breakOff, { once: true });
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    const [served, own] = await Promise.all([realpath(rows[0]!.data_directory), realpath(cluster)]);
    return served === own ? 'ours' : 'foreign';
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    if (code === '57P03') return message.includes('shutting down') ? 'stopping' : 'starting';
    return code?.startsWith('28') ? 'foreign' : 'silent';
  } finally {
    signal?.removeEventListener('abort', breakOff);
    await client.end().catch(() => {});
  }
};
