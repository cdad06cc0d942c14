import type { Lease } from '../ports/work-leases.ts';
import { runLeasedJob, type RunJobDeps } from './run-job.ts';
import { runLeasedPurge, type RunPurgeDeps } from './run-purge.ts';
import { sweepAbandoned, type SweepDeps } from './sweep.ts';

export interface WorkerDeps extends RunJobDeps, RunPurgeDeps, SweepDeps {
  /** Jobs at once in this process. */
  readonly slots: number;
  /** Waits until something may be owed, `ms` at most, or until aborted. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

const LOOK_MS = 500;
const SWEEP_MS = 5_000;

/** Takes what is owed and does it, until `shutdown` aborts; then it resolves when every job has been put down. */
export const runWorker = async (deps: WorkerDeps, shutdown: AbortSignal): Promise<void> => {
  const running = new Set<Promise<void>>();
  let sweptAt = 0;
  while (!shutdown.aborted) {
    try {
      if (deps.clock.now() - sweptAt >= SWEEP_MS) {
        sweptAt = deps.clock.now();
        await sweepAbandoned(deps);
      }
      const free = deps.slots - running.size;
      const leases = free > 0 ? await deps.leases.claim(deps.owner, free, deps.leaseMs) : [];
      for (const lease of leases) {
        const task: Promise<void> = runLeased(deps, lease, shutdown).finally(() => running.delete(task));
        running.add(task);
      }
    } catch (error) {
      deps.log.warn('the worker will look again', { error: (error as Error).message });
    }
    await deps.idle(LOOK_MS, shutdown);
  }
  await Promise.all(running);
};

const runLeased = async (deps: WorkerDeps, lease: Lease, shutdown: AbortSignal): Promise<void> => {
  let how: 'done' | 'stopped' = 'done';
  try {
    if (lease.purpose === 'run') await runLeasedJob(deps, lease, shutdown);
    else if (!(await runLeasedPurge(deps, lease, shutdown))) {
      // A purge that failed keeps its lease: what is left of it is the pause before the next try.
      if (!shutdown.aborted) return;
      how = 'stopped';
    }
  } catch (error) {
    deps.log.error('leased work broke', { data_source_id: lease.data_source_id, error: String(error) });
  }
  try {
    await deps.leases.release(deps.owner, lease, how);
  } catch (error) {
    deps.log.warn('lease not released; it will run out', { error: (error as Error).message });
  }
};
