import type { Lease } from '../ports/work-leases.ts';
import { runLeasedJob, type RunJobDeps } from './run-job.ts';
import { type PutDown, runLeasedPurge, type RunPurgeDeps } from './run-purge.ts';
import { sweepAbandoned, type SweepDeps, takeUpDeletions } from './sweep.ts';

export interface WorkerDeps extends RunJobDeps, RunPurgeDeps, SweepDeps {
  /** Jobs at once in this process. */
  readonly slots: number;
  /** Waits until something may be owed, `ms` at most, or until aborted. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

const LOOK_MS = 500;
const SWEEP_MS = 5_000;
const TIDY_MS = 60_000;

/** Takes what is owed and does it, until `shutdown` aborts; then it resolves when every job has been put down. */
export const runWorker = async (deps: WorkerDeps, shutdown: AbortSignal): Promise<void> => {
  const running = new Set<Promise<void>>();
  const sweep = atMostEvery(SWEEP_MS, deps, () => sweepAbandoned(deps));
  const tidy = atMostEvery(TIDY_MS, deps, async () => {
    await takeUpDeletions(deps);
    await deps.leases.forgetRemoved();
  });
  while (!shutdown.aborted) {
    try {
      await sweep();
      await tidy();
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
  if (running.size > 0) await leave(deps);
  await Promise.all(running);
};

const atMostEvery = (
  ms: number,
  { clock }: Pick<WorkerDeps, 'clock'>,
  run: () => Promise<void>,
): (() => Promise<void>) => {
  let ranAt = 0;
  return async () => {
    if (clock.now() - ranAt < ms) return;
    ranAt = clock.now();
    await run();
  };
};

/** Before anything is put down, for which there may be no time. */
const leave = async ({ leases, owner, log }: WorkerDeps): Promise<void> => {
  try {
    await leases.leave(owner);
  } catch (error) {
    log.warn('leases not marked as those of a worker that stops', { error: (error as Error).message });
  }
};

const runLeased = async (deps: WorkerDeps, lease: Lease, shutdown: AbortSignal): Promise<void> => {
  let how: PutDown = 'done';
  try {
    if (lease.purpose === 'run') await runLeasedJob(deps, lease, shutdown);
    else how = await runLeasedPurge(deps, lease, shutdown);
  } catch (error) {
    deps.log.error('leased work broke', { data_source_id: lease.data_source_id, error: String(error) });
  }
  try {
    await putDown(deps, lease, how);
  } catch (error) {
    deps.log.warn('lease not released; it will run out', { error: (error as Error).message });
  }
};

const putDown = async ({ leases, owner }: WorkerDeps, lease: Lease, how: PutDown): Promise<void> => {
  if (how === 'lost') return;
  if (typeof how === 'string') await leases.release(owner, lease, how);
  else await leases.putOff(owner, lease, how);
};
