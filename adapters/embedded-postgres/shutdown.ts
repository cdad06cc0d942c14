import { setTimeout as delay } from 'node:timers/promises';
import { signalIfAlive, run, type Runtime } from './program.ts';
import { processesOf, readPostmaster, servesCluster } from './postmaster.ts';

/**
 * SIGINT rolls back open transactions and exits. SIGQUIT exits at once and recovers at the next start.
 * SIGKILL also ends a frozen server. None loses committed data.
 */
const STEPS = [
  { signal: 'SIGINT', mode: 'fast', waitMs: 10_000 },
  { signal: 'SIGQUIT', mode: 'immediate', waitMs: 5_000 },
  { signal: 'SIGKILL', mode: 'immediate', waitMs: 5_000 },
] as const;
const IMMEDIATE_STEPS = STEPS.filter(({ signal }) => signal !== 'SIGINT').map((step) => ({
  ...step,
  waitMs: 1_000,
}));
const POLL_MS = 20;

/**
 * Stops the server of a cluster if one runs, and returns when none of its processes is left, whatever its pid
 * file says. `atOnce`: for a server without clients yet.
 *
 * @throws when a process is still there after all steps
 */
export const shutDown = async (
  runtime: Runtime,
  cluster: string,
  how: 'orderly' | 'atOnce' = 'orderly',
): Promise<void> => {
  const postmaster = await readPostmaster(cluster);
  if (postmaster !== null && (await servesCluster(postmaster.pid, cluster))) {
    await stopServer(runtime, cluster, postmaster.pid, how === 'orderly' ? STEPS : IMMEDIATE_STEPS);
  }
  await endLeftovers(cluster);
};

type Step = { readonly signal: NodeJS.Signals; readonly mode: string; readonly waitMs: number };

const stopServer = async (
  runtime: Runtime,
  cluster: string,
  pid: number,
  steps: readonly Step[],
): Promise<void> => {
  for (const step of steps) {
    if (process.platform === 'win32') {
      const seconds = String(step.waitMs / 1_000);
      await run(runtime, 'pg_ctl', ['stop', '-D', cluster, '-m', step.mode, '-w', '-t', seconds]).catch(
        () => {},
      );
      if ((await readPostmaster(cluster)) === null) return;
    } else {
      signalIfAlive(pid, step.signal);
      if (await becomesTrue(step.waitMs, async () => !(await servesCluster(pid, cluster)))) return;
    }
  }
  throw new Error(`Postgres, process ${pid}, does not stop`);
};

/**
 * Ends the processes that a killed server left behind, and a server whose pid file is damaged. The children
 * of a killed server exit when they next wait, which may be after a long query; until then no other server
 * may use the files.
 */
export const endLeftovers = async (cluster: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const none = async (): Promise<boolean> => (await processesOf(cluster)).length === 0;
  for (const { signal, waitMs } of STEPS.slice(1)) {
    const left = await processesOf(cluster);
    for (const pid of left) signalIfAlive(pid, signal);
    if (left.length === 0 || (await becomesTrue(waitMs, none))) return;
  }
  throw new Error(`processes of Postgres do not end: ${(await processesOf(cluster)).join(', ')}`);
};

const becomesTrue = async (waitMs: number, condition: () => Promise<boolean>): Promise<boolean> => {
  for (const end = Date.now() + waitMs; Date.now() < end; await delay(POLL_MS)) {
    if (await condition()) return true;
  }
  return false;
};
