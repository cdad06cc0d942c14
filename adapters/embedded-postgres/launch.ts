import { spawn } from 'node:child_process';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { executable } from './binaries.ts';
import { clusterOf } from './cluster.ts';
import { commandAs, chownTo } from './identity.ts';
import {
  ADMINISTRATOR,
  DATABASE,
  HOST,
  probe,
  readPostmaster,
  removeSockets,
  socketFolder,
} from './postmaster.ts';
import { run, type Runtime } from './program.ts';
import { processOfChild, processOfPid, type ServerProcess } from './server-process.ts';
import { endLeftovers, shutDown } from './shutdown.ts';
import { wrongPassword } from './start-error.ts';
import { replaceFile } from './durable-file.ts';

/**
 * Writes the service's settings at every start if they have changed: a full disk rejects even an identical
 * file. The operator's settings go into `custom.conf` next to it, which the service never changes.
 */
const writeSettings = async (
  runtime: Runtime,
  cluster: string,
  port: number,
  settings: readonly string[],
): Promise<void> => {
  const text = `# Written by the service at every start: put your own settings into custom.conf.
listen_addresses = '${HOST}'
port = ${port}
unix_socket_directories = ${quoted(socketFolder(cluster) ?? '')}
max_connections = 100
shared_buffers = 48MB
max_wal_size = 128MB
min_wal_size = 32MB
wal_recycle = off
wal_compression = pglz
autovacuum_naptime = 15s
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%m [%p] '
log_destination = 'stderr'
logging_collector = off
${settings.join('\n')}
include_if_exists = 'custom.conf'
`;
  const file = join(cluster, 'postgresql.conf');
  if ((await readFile(file, 'utf8').catch(() => '')) === text) return;
  await replaceFile(file, text);
  await chownTo(runtime.identity, file);
};

/** Quotes a string for postgresql.conf; a list of folders needs double quotes around a name with a comma. */
const quoted = (folder: string): string => {
  const listed = folder === '' ? '' : `"${folder.replaceAll('"', '""')}"`;
  return `'${listed.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
};

const MAX_LOG_BYTES = 10 * 1024 * 1024;

/**
 * Errors that may disappear at the next attempt: another program uses the port, or processes of a killed
 * server still run.
 */
const TRANSIENT =
  /could not bind|Address already in use|pre-existing shared memory|lock file "postmaster.pid"/;

export interface LaunchOptions {
  readonly password: string;
  readonly settings: readonly string[];
  /** Unix milliseconds until when the server may be silent; a server that is recovering may take longer. */
  readonly deadline: number;
  /**
   * On abort, everything that was started ends within about a second, and the call rejects with the reason.
   */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts the server of a cluster on a free port and waits until it answers. No server may run on the cluster.
 *
 * @throws with the end of the server's log if the server exits or does not answer in time
 */
export const launch = async (
  runtime: Runtime,
  dataDir: string,
  options: LaunchOptions,
): Promise<ServerProcess> => {
  for (;;) {
    try {
      return await launchOn(runtime, dataDir, options, await freePort());
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!TRANSIENT.test((error as Error).message) || Date.now() > options.deadline) throw error;
    }
    await delay(250);
  }
};

/** Like `launch`, but one attempt, on this port. */
export const launchOn = async (
  runtime: Runtime,
  dataDir: string,
  options: LaunchOptions,
  port: number,
): Promise<ServerProcess> => {
  const cluster = clusterOf(dataDir);
  options.signal?.throwIfAborted();
  await endLeftovers(cluster);
  // The server only checks whether a process with the pid in this file exists; that may be another program by
  // now.
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  await removeSockets(cluster);
  await writeSettings(runtime, cluster, port, options.settings);
  return await startAndWait(runtime, dataDir, options, port);
};

const startAndWait = async (
  runtime: Runtime,
  dataDir: string,
  { password, deadline, signal }: LaunchOptions,
  port: number,
): Promise<ServerProcess> => {
  const cluster = clusterOf(dataDir);
  const log = join(dataDir, 'server.log');
  const start = await rotate(log);
  const server = await spawnServer(runtime, cluster, log, port);
  const end = async (): Promise<void> => {
    server.kill('SIGQUIT');
    await shutDown(runtime, cluster, 'atOnce');
  };
  const connection = { host: HOST, port, user: ADMINISTRATOR, password, database: DATABASE };
  for (;;) {
    const result = await probe(connection, cluster, signal);
    if (signal?.aborted) {
      await end();
      throw signal.reason as Error;
    }
    if (result === 'ours') return server;
    const exitReason = server.exitReason();
    if (exitReason !== null)
      throw new Error(`Postgres did not start: it ${exitReason}\n${await tail(log, start)}`);
    if (result === 'foreign') {
      await end();
      throw wrongPassword(dataDir);
    }
    // A server that is recovering reports it, and exits by itself if it cannot recover.
    if (result !== 'starting' && Date.now() > deadline) {
      await end();
      throw new Error(`Postgres did not start: it does not answer (${result})\n${await tail(log, start)}`);
    }
    await delay(50);
  }
};

const spawnServer = async (
  runtime: Runtime,
  cluster: string,
  log: string,
  port: number,
): Promise<ServerProcess> => {
  if (process.platform === 'win32') {
    // Only pg_ctl drops an administrator's rights, with which Postgres refuses to run.
    await run(runtime, 'pg_ctl', ['start', '-W', '-D', cluster, '-l', log]);
    const postmaster = await readPostmaster(cluster);
    if (postmaster === null) throw new Error('Postgres did not start: it wrote no postmaster.pid');
    return processOfPid(postmaster, cluster);
  }
  const program = executable(runtime.native, 'postgres');
  const { file, args, options } = commandAs(runtime.identity, program, ['-D', cluster]);
  const output = await open(log, 'a', 0o600);
  // Its own process group: an interrupt from the terminal must reach only the service, which then stops the
  // server.
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', output.fd, output.fd] });
  child.unref();
  // Before the next await: the child may exit meanwhile.
  const server = processOfChild(child, port);
  await output.close();
  return server;
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, HOST, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** Keeps one older log. Returns the size at which the log of this run starts. */
const rotate = async (log: string): Promise<number> => {
  const size = await stat(log).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size <= MAX_LOG_BYTES) return size;
  await rename(log, `${log}.1`);
  return 0;
};

/** The last lines of the server's log, across restarts. */
export const recentLog = (dataDir: string): Promise<string> => tail(join(dataDir, 'server.log'), 0);

const tail = async (log: string, start: number): Promise<string> => {
  const text = await readFile(log).catch(() => Buffer.alloc(0));
  return text.subarray(start).toString('utf8').trim().split('\n').slice(-20).join('\n');
};
