import { setTimeout as delay } from 'node:timers/promises';
import { run } from './cluster.ts';
import type { Runtime } from './cluster.ts';
import { readPostmaster, servesCluster } from './postmaster.ts';

/** SIGINT: roll open transactions back and end. SIGQUIT: end at once, recover at the next start. Both lose nothing. */
const STEPS = [
  { signal: 'SIGINT', mode: 'fast', waitMs: 10_000 },
  { signal: 'SIGQUIT', mode: 'immediate', waitMs: 5_000 },
] as const;

/**
 * Stops the server of a cluster if one runs, and returns when it is gone.
 *
 * @throws when it is still there after both steps
 */
export const shutDown = async (runtime: Runtime, cluster: string): Promise<void> => {
  const postmaster = await readPostmaster(cluster);
  if (!postmaster) return;
  for (const step of STEPS) {
    if (!(await servesCluster(postmaster.pid, cluster))) return;
    if (process.platform === 'win32') {
      const seconds = String(step.waitMs / 1_000);
      await run(runtime, 'pg_ctl', ['stop', '-D', cluster, '-m', step.mode, '-w', '-t', seconds]).catch(
        () => {},
      );
      if ((await readPostmaster(cluster)) === null) return;
    } else {
      process.kill(postmaster.pid, step.signal);
      if (await gone(postmaster.pid, cluster, step.waitMs)) return;
    }
  }
  throw new Error(`Postgres, process ${postmaster.pid}, does not stop`);
};

const gone = async (pid: number, cluster: string, waitMs: number): Promise<boolean> => {
  for (const end = Date.now() + waitMs; Date.now() < end; await delay(20)) {
    if (!(await servesCluster(pid, cluster))) return true;
  }
  return false;
};
