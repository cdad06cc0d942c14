import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { clusterOf } from './cluster.ts';
import { ENVIRONMENT } from './identity.ts';
import { ADMINISTRATOR, DATABASE, HOST, probe, readPostmaster, servesCluster } from './postmaster.ts';
import type { Postmaster } from './postmaster.ts';
import type { Runtime } from './program.ts';
import { ofProcess } from './running.ts';
import type { Running } from './running.ts';
import { shutDown } from './shutdown.ts';
import { wrongPassword } from './start-error.ts';

/** A server that is well answers at once; one that starts or stops says so. */
const SILENT_MS = 5_000;
const LOOK_MS = 100;

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
): Promise<Running | null> => {
  const cluster = clusterOf(dataDir);
  const silentFrom = Date.now();
  for (;;) {
    signal?.throwIfAborted();
    const postmaster = await readPostmaster(cluster);
    if (!postmaster || !(await servesCluster(postmaster.pid, cluster))) return null;
    const isLate = Date.now() - silentFrom > SILENT_MS;
    switch (await answerOf(postmaster, password, cluster, signal)) {
      case 'ours':
        if (await hasOurEnvironment(postmaster.pid)) return ofProcess(postmaster, cluster);
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
    await delay(LOOK_MS);
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
