import {
  type DataSourceCommand,
  type DataSourceState,
  MANAGED_REPORT_LIMIT,
  dataSource,
  deletionDelayAfter,
} from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import { sweeperContext, workerContext } from '../../jobs/load-work.ts';
import type { IsTransient } from '../../jobs/transient.ts';
import type { WorkOutcome } from '../../jobs/work-handler.ts';
import type { Clock } from '../../ports/identity.ts';
import type { ItemStore } from '../../ports/item-store.ts';
import type { Abandoned, Deferral, Lease } from '../../ports/leases.ts';
import type { Logger } from '../../ports/logger.ts';
import { type LoadedDataSource, type WorkError, loadDataSource } from './job.ts';

export interface AbandonedJobDeps {
  /** Fails at once if the store is unavailable, so that other work is not delayed. */
  readonly executeAtOnce: Execute;
  readonly clock: Clock;
  readonly log: Logger;
  readonly owner: string;
  readonly itemStore: Pick<ItemStore, 'lastHeartbeat'>;
}

/** A claim on a job, from the view of data sources. */
export interface JobClaim {
  readonly status: 'starting' | 'started' | 'canceling' | 'managed';
  readonly jobId: string;
  readonly epoch: number;
}

type Reason = 'worker_lost' | 'worker_stopped' | 'timed_out' | 'cancel_timed_out' | 'executor_silent';

/** Ends or requeues a job without a live worker, or beyond a time limit. The aggregate decides. */
export const endAbandoned = async (deps: AbandonedJobDeps, abandoned: Abandoned): Promise<void> => {
  const { executeAtOnce, clock, log, owner } = deps;
  const { id: dataSourceId } = abandoned;
  const claim = abandoned.claim as JobClaim;
  const reason = reasonFor(abandoned);
  const found = await loadDataSource(executeAtOnce, dataSourceId);
  if (found === null) return;
  // A job beyond its time limit ends; but a live worker that was asked to cancel has its own time limit for that.
  if (reason === 'timed_out' && found.state.status === 'canceling') return;
  if (reason === 'executor_silent' && !(await isSilent(deps, dataSourceId, found.state))) return;
  const { events } = await executeAtOnce(
    dataSource,
    dataSourceStream(dataSourceId),
    commandFor(reason, claim, clock.now()),
    sweeperContext(found, owner),
    { guard: (state) => mustBeThatJob(state, claim) },
  );
  // No event: the worker has acknowledged the cancel in the meantime.
  if (events.length > 0) log.warn('abandoned job', { dataSourceId, reason });
};

/** Not every report of an executor is an event, so the stream alone would show silence too early. */
const isSilent = async (
  { itemStore, clock }: AbandonedJobDeps,
  dataSourceId: string,
  state: DataSourceState,
): Promise<boolean> => {
  if (state.status !== 'managed') return false;
  const heardAt = await itemStore.lastHeartbeat(dataSourceId);
  return clock.now() - heardAt >= MANAGED_REPORT_LIMIT;
};

/** The command `lost` does not name a job, so this guard refuses it for a newer job. */
const mustBeThatJob = (state: DataSourceState, { status, jobId }: JobClaim): void => {
  if (status !== 'managed') return;
  if (state.status !== 'managed' || state.job.jobId !== jobId)
    throw new DomainError('conflict', 'the executor has reported meanwhile');
};

/** Why the job ends or is retried. */
export const reasonFor = ({ worker, overdue, claim }: Abandoned): Reason => {
  const { status } = claim as JobClaim;
  if (status === 'managed') return 'executor_silent';
  if (status === 'canceling' && overdue) return 'cancel_timed_out';
  if (worker === 'stopped') return 'worker_stopped';
  return worker === 'lost' ? 'worker_lost' : 'timed_out';
};

const commandFor = (reason: Reason, { status, jobId, epoch }: JobClaim, at: number): DataSourceCommand => {
  const own = { jobId, epoch, at };
  if (reason === 'executor_silent') return { type: 'lost', at };
  if (reason === 'cancel_timed_out') return { type: 'cancel_done', by: 'timeout', ...own };
  if (reason === 'worker_lost') {
    return { type: 'retry', reason, error: workError('Worker lost', 'the worker stopped answering'), ...own };
  }
  if (reason === 'worker_stopped') return { type: 'retry', reason, ...own };
  if (status === 'starting') {
    return {
      type: 'retry',
      reason,
      error: workError('Timed out', 'the job did not start within 180 s'),
      ...own,
    };
  }
  return { type: 'fail', code: reason, error: workError('Timed out', 'the job ran for 24 hours'), ...own };
};

const workError = (title: WorkError['title'], message: string): WorkError => ({ title, message });

export interface FailedPurgeDeps {
  /** Fails at once if the store is unavailable: the retry pause must not hold a lease. */
  readonly executeAtOnce: Execute;
  readonly clock: Clock;
  readonly log: Logger;
  readonly owner: string;
  readonly isTransient: IsTransient;
}

/** What happens to the lease if there is nothing to delete; null: the deletion is still pending. */
export const isOver = (found: LoadedDataSource | null): 'gone' | 'done' | null => {
  if (found === null || found.state.status === 'removed') return 'gone';
  return found.state.status === 'deleting' ? null : 'done';
};

/**
 * Defers a failed attempt, or records the failure if `deletionDelayAfter` gives the deletion up. Logs once.
 *
 * @param found the data source to delete; null: it could not be read
 */
export const afterFailure = async (
  deps: FailedPurgeDeps,
  lease: Lease,
  found: LoadedDataSource | null,
  error: unknown,
): Promise<WorkOutcome> => {
  const { id: dataSourceId, attempt } = lease;
  // The attempt may have failed because another worker has completed the deletion: then it is no failure.
  const over = found === null ? null : await isOverByNow(deps, dataSourceId);
  if (over !== null) return over;
  const transient = deps.isTransient(error);
  const facts = { dataSourceId, attempt, error: messageOf(error) };
  const at = deps.clock.now();
  // If the request cannot be read, its failure cannot be written either.
  const since = found === null || found.state.status === 'none' ? at : found.state.since;
  const attempts = {
    transient,
    attempts: attempt,
    permanentFailures: lease.lasting + (transient ? 0 : 1),
    since,
  };
  const pause = deletionDelayAfter({ ...attempts, at });
  const again = (ms: number): Deferral => {
    deps.log.warn('deletion will be retried', {
      ...facts,
      transient: transient,
      inSeconds: Math.ceil(ms / 1000),
    });
    return { ms, transient: transient };
  };
  if (pause !== null || found === null) return again(pause ?? LAST_PAUSE_MS);
  if (!(await recordFailure(deps, lease, found, failureOf(facts)))) return again(LAST_PAUSE_MS);
  deps.log.error('deletion failed', facts);
  return 'done';
};

/** Null also if it cannot be read. */
const isOverByNow = async (
  { executeAtOnce }: FailedPurgeDeps,
  dataSourceId: string,
): Promise<'gone' | 'done' | null> => {
  try {
    return isOver(await loadDataSource(executeAtOnce, dataSourceId));
  } catch {
    return null;
  }
};

/** The pause before the next attempt to record the failure. */
const LAST_PAUSE_MS = 60_000;

const failureOf = ({ attempt, error }: { readonly attempt: number; readonly error: string }): WorkError => ({
  title: 'Deletion failed',
  message: `given up after ${attempt} attempts; the last one failed: ${error}. It is retried after a day, or by DELETE`,
});

/** Whether the deletion has been ended, by this worker or another one. */
const recordFailure = async (
  { clock, executeAtOnce, owner, log }: FailedPurgeDeps,
  { id: dataSourceId }: Lease,
  found: LoadedDataSource,
  error: WorkError,
): Promise<boolean> => {
  const command = { type: 'delete_failed', error, at: clock.now() } as const;
  try {
    await executeAtOnce(dataSource, dataSourceStream(dataSourceId), command, workerContext(found, owner));
    return true;
  } catch (refusal) {
    if (isRefused(refusal)) return true;
    log.warn('a failed deletion could not be recorded', { dataSourceId, error: messageOf(refusal) });
    return false;
  }
};

export const isRefused = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'conflict';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
