import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { atExit, signalIfAlive, type Runtime } from './program.ts';
import {
  servesCluster,
  type Postmaster,
  ADMINISTRATOR,
  DATABASE,
  HOST,
  probe,
  readPostmaster,
} from './postmaster.ts';
import { clusterOf } from './cluster.ts';
import { ENVIRONMENT } from './identity.ts';
import { shutDown } from './shutdown.ts';
import { wrongPassword } from './start-error.ts';

/**
 * A running server process. If this process exits without having stopped the server, it signals the server to
 * stop.
 */
export interface ServerProcess {
  readonly port: number;
  /** Resolves with the exit reason, for example "ended with 1". */
  readonly ended: Promise<string>;
  /** The exit reason; null while the server runs. */
  readonly exitReason: () => string | null;
  /** Does nothing after the process has exited. */
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** A server that is not our child sends no exit event, so it is polled. */
const POLL_MS = 250;

export const processOfChild = (child: ChildProcess, port: number): ServerProcess => {
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(`could not be run: ${error.message}`));
    child.on('exit', (code, signal) => resolve(`ended with ${code ?? signal}`));
  });
  return trackProcess(child.pid, port, ended);
};

export const processOfPid = ({ pid, port }: Postmaster, cluster: string): ServerProcess => {
  const ended = new Promise<string>((resolve) => {
    const poll = async (): Promise<void> => {
      if (await servesCluster(pid, cluster)) setTimeout(() => void poll(), POLL_MS).unref();
      else resolve('has ended');
    };
    void poll();
  });
  return trackProcess(pid, port, ended);
};

const trackProcess = (pid: number | undefined, port: number, end: Promise<string>): ServerProcess => {
  let exitReason: string | null = null;
  const kill = (signal: NodeJS.Signals): void => {
    if (exitReason === null && pid !== undefined) signalIfAlive(pid, signal);
  };
  // SIGINT is a fast shutdown: Postgres rolls back open transactions and exits.
  const removeExitHook = atExit(() => kill('SIGINT'));
  const ended = end.then((reason) => {
    exitReason = reason;
    removeExitHook();
    return reason;
  });
  return { port, ended, exitReason: () => exitReason, kill };
};

/** A healthy server answers at once; a server that is starting or stopping reports it. */
const SILENT_MS = 5_000;
const PROBE_MS = 100;

/**
 * Returns the server that a crashed service left running on this data directory, if it is healthy; null if
 * there is none. Stops a server that does not answer, or that has another environment than ours.
 *
 * @throws when the password is not the server's, or the signal aborts
 */
export const adopt = async (
  runtime: Runtime,
  dataDir: string,
  password: string,
  signal?: AbortSignal,
): Promise<ServerProcess | null> => {
  const cluster = clusterOf(dataDir);
  const probingSince = Date.now();
  for (;;) {
    signal?.throwIfAborted();
    const postmaster = await readPostmaster(cluster);
    if (!postmaster || !(await servesCluster(postmaster.pid, cluster))) return null;
    const isTimedOut = Date.now() - probingSince > SILENT_MS;
    switch (await probeServer(postmaster, password, cluster, signal)) {
      case 'ours':
        if (await hasOurEnvironment(postmaster.pid)) return processOfPid(postmaster, cluster);
        await shutDown(runtime, cluster);
        return null;
      case 'foreign':
        throw wrongPassword(dataDir);
      case 'silent':
        if (!isTimedOut || signal?.aborted) break;
        await shutDown(runtime, cluster, 'atOnce');
        return null;
      case 'starting':
      case 'stopping':
    }
    await delay(PROBE_MS);
  }
};

const probeServer = (
  { port }: Postmaster,
  password: string,
  cluster: string,
  signal: AbortSignal | undefined,
) => probe({ host: HOST, port, user: ADMINISTRATOR, password, database: DATABASE }, cluster, signal);

/**
 * Earlier versions passed the service's environment to the server, including secrets. True if the environment
 * cannot be read.
 */
const hasOurEnvironment = async (pid: number): Promise<boolean> => {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const names = text.split('\0').map((entry) => entry.split('=', 1)[0] ?? '');
  return names.every((name) => name === '' || name in ENVIRONMENT);
};
