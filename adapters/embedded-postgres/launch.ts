import { spawn } from 'node:child_process';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { executable } from './binaries.ts';
import { clusterOf, run, writeSettings } from './cluster.ts';
import type { Runtime } from './cluster.ts';
import { commandAs } from './identity.ts';
import { DATABASE, HOST, USER, probe, readPostmaster, servesCluster } from './postmaster.ts';
import { shutDown } from './shutdown.ts';

const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** What a later try may find gone: another program's port, and the last processes of a server that was killed. */
const PASSING = /could not bind|Address already in use|pre-existing shared memory|lock file "postmaster.pid"/;

/**
 * Starts the server of a cluster and waits until it answers; the port is free at that moment and in postmaster.pid.
 *
 * @throws with the end of the server's log when it ends or does not answer before `deadline` (Unix milliseconds)
 */
export const launch = async (
  runtime: Runtime,
  dataDir: string,
  { password, settings }: { readonly password: string; readonly settings: readonly string[] },
  deadline: number,
): Promise<number> => {
  const cluster = clusterOf(dataDir);
  for (;;) {
    await dropStalePidFile(cluster);
    const port = await freePort();
    await writeSettings(runtime, cluster, port, settings);
    const failure = await attempt(runtime, dataDir, { password, port }, deadline);
    if (failure === null) return port;
    if (!PASSING.test(failure) || Date.now() > deadline)
      throw new Error(`Postgres did not start: ${failure}`);
    await delay(250);
  }
};

/** Null when the server answers, else why not. */
const attempt = async (
  runtime: Runtime,
  dataDir: string,
  { password, port }: { readonly password: string; readonly port: number },
  deadline: number,
): Promise<string | null> => {
  const cluster = clusterOf(dataDir);
  const log = join(dataDir, 'server.log');
  const start = await rotate(log);
  const ended = await begin(runtime, cluster, log);
  const connection = { host: HOST, port, user: USER, password, database: DATABASE };
  for (;;) {
    const answer = await probe(connection, cluster);
    if (answer === 'ours') return null;
    const exit = ended();
    if (exit !== null) return `${exit}\n${await tail(log, start)}`;
    // A server that recovers says so, and ends by itself if it cannot.
    if (answer === 'foreign' || (answer !== 'starting' && Date.now() > deadline)) {
      await shutDown(runtime, cluster);
      return `it does not let us in (${answer})\n${await tail(log, start)}`;
    }
    await delay(50);
  }
};

/** Answers a function that says how the server has ended, or null while it lives. */
const begin = async (runtime: Runtime, cluster: string, log: string): Promise<() => string | null> => {
  if (process.platform === 'win32') {
    // Only pg_ctl drops an administrator's rights, without which Postgres refuses to run.
    await run(runtime, 'pg_ctl', ['start', '-W', '-D', cluster, '-l', log]);
    return () => null;
  }
  const { file, args, options } = commandAs(runtime.identity, executable(runtime.native, 'postgres'), [
    '-D',
    cluster,
  ]);
  const output = await open(log, 'a', 0o600);
  let ended: string | null = null;
  // A process group of its own: an interrupt from the terminal must reach the service alone, which then stops us.
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', output.fd, output.fd] });
  child.on('error', (error) => (ended = error.message));
  child.on('exit', (code, signal) => (ended ??= `it ended with ${code ?? signal}`));
  child.unref();
  await output.close();
  return () => ended;
};

/** The server itself only looks whether any process has the pid, which may have been given to another since. */
const dropStalePidFile = async (cluster: string): Promise<void> => {
  const postmaster = await readPostmaster(cluster);
  if (postmaster && !(await servesCluster(postmaster.pid, cluster))) {
    await rm(join(cluster, 'postmaster.pid'), { force: true });
  }
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, HOST, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** Keeps one older log; answers the size at which this run begins. */
const rotate = async (log: string): Promise<number> => {
  const size = await stat(log).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size <= MAX_LOG_BYTES) return size;
  await rename(log, `${log}.1`);
  return 0;
};

const tail = async (log: string, start: number): Promise<string> => {
  const text = await readFile(log).catch(() => Buffer.alloc(0));
  return text.subarray(start).toString('utf8').trim().split('\n').slice(-20).join('\n');
};
