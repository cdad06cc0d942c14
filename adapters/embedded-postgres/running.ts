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

/** A server as it runs. When this process exits without having stopped it, it is told to stop. */
export interface ServerProcess {
  readonly port: number;
  /** Resolves when it has ended, with how: "ended with 1". */
  readonly ended: Promise<string>;
  /** The same at once; null while it runs. */
  readonly end: () => string | null;
  /** Does nothing once it has ended. */
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** One that was not started by this process tells nobody of its end. */
const POLL_MS = 250;

export const processOfChild = (child: ChildProcess, port: number): ServerProcess => {
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(`could not be run: ${error.message}`));
    child.on('exit', (code, signal) => resolve(`ended with ${code ?? signal}`));
  });
  return watched(child.pid, port, ended);
};

export const processOfPid = ({ pid, port }: Postmaster, cluster: string): ServerProcess => {
  const ended = new Promise<string>((resolve) => {
    const look = async (): Promise<void> => {
      if (await servesCluster(pid, cluster)) setTimeout(() => void look(), POLL_MS).unref();
      else resolve('has ended');
    };
    void look();
  });
  return watched(pid, port, ended);
};

const watched = (pid: number | undefined, port: number, end: Promise<string>): ServerProcess => {
  let over: string | null = null;
  const kill = (signal: NodeJS.Signals): void => {
    if (over === null && pid !== undefined) signalIfAlive(pid, signal);
  };
  // It then rolls back, and ends by itself.
  const forget = atExit(() => kill('SIGINT'));
  const ended = end.then((how) => {
    over = how;
    forget();
    return how;
  });
  return { port, ended, end: () => over, kill };
};

/** A server that is well answers at once; one that starts or stops says so. */
const SILENT_MS = 5_000;
const PROBE_MS = 100;

/**
 * The server that a crashed service has left running on this data directory, if it is well; null when there is none.
 * One that does not answer, or that holds another environment than ours, is stopped.
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
  const silentFrom = Date.now();
  for (;;) {
    signal?.throwIfAborted();
    const postmaster = await readPostmaster(cluster);
    if (!postmaster || !(await servesCluster(postmaster.pid, cluster))) return null;
    const isLate = Date.now() - silentFrom > SILENT_MS;
    switch (await answerOf(postmaster, password, cluster, signal)) {
      case 'ours':
        if (await hasOurEnvironment(postmaster.pid)) return processOfPid(postmaster, cluster);
        await shutDown(runtime, cluster);
        return null;
      case 'foreign':
        throw wrongPassword(dataDir);
      case 'silent':
        if (!isLate || signal?.aborted) break;
        await shutDown(runtime, cluster, 'atOnce');
        return null;
      case 'starting':
      case 'stopping':
    }
    await delay(PROBE_MS);
  }
};

const answerOf = ({ port }: Postmaster, password: string, cluster: string, signal: AbortSignal | undefined) =>
  probe({ host: HOST, port, user: ADMINISTRATOR, password, database: DATABASE }, cluster, signal);

/** Earlier versions gave the server the service's own, secrets and all. True where the system does not tell. */
const hasOurEnvironment = async (pid: number): Promise<boolean> => {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const names = text.split('\0').map((entry) => entry.split('=', 1)[0] ?? '');
  return names.every((name) => name === '' || name in ENVIRONMENT);
};
