import {
  type DataSourceCommand,
  type DataSourceState,
  MANAGED_REPORT_LIMIT,
  dataSource,
  pauseAfter,
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
  /** Fails at once where the store is away: the others are not kept waiting. */
  readonly executeAtOnce: Execute;
  readonly clock: Clock;
  readonly log: Logger;
  readonly owner: string;
  readonly itemStore: Pick<ItemStore, 'lastHeartbeat'>;
}

/** Who had claimed which job, as the view of data sources tells it. */
export interface JobClaim {
  readonly status: 'starting' | 'started' | 'canceling' | 'managed';
  readonly jobId: string;
  readonly epoch: number;
}

type Reason = 'worker_lost' | 'worker_stopped' | 'timed_out' | 'cancel_timed_out' | 'executor_silent';

/** Ends or requeues a job that nobody works on any more, or that has outlived a limit. The aggregate judges. */
export const endAbandoned = async (deps: AbandonedJobDeps, abandoned: Abandoned): Promise<void> => {
  const { executeAtOnce, clock, log, owner } = deps;
  const { id: dataSourceId } = abandoned;
  const claim = abandoned.claim as JobClaim;
  const reason = reasonFor(abandoned);
  const found = await loadDataSource(executeAtOnce, dataSourceId);
  if (found === null) return;
  // A limit that has passed is the job's end; asked to cancel, a worker that lives has its time to answer.
  if (reason === 'timed_out' && found.state.status === 'canceling') return;
  if (reason === 'executor_silent' && !(await isSilent(deps, dataSourceId, found.state))) return;
  const { events } = await executeAtOnce(
    dataSource,
    dataSourceStream(dataSourceId),
    commandFor(reason, claim, clock.now()),
    sweeperContext(found, owner),
    { guard: (state) => mustBeThatJob(state, claim) },
  );
  // None: the worker has acknowledged the cancel in the meantime.
  if (events.length > 0) log.warn('abandoned job', { dataSourceId, reason });
};

/** Not all that an executor reports is an event: the stream alone would take it for silent too early. */
const isSilent = async (
  { itemStore, clock }: AbandonedJobDeps,
  dataSourceId: string,
  state: DataSourceState,
): Promise<boolean> => {
  if (state.status !== 'managed') return false;
  const heardAt = await itemStore.lastHeartbeat(dataSourceId);
  return clock.now() - heardAt >= MANAGED_REPORT_LIMIT;
};

/** `lost` names no job: of a newer one nothing is known here. */
const mustBeThatJob = (state: DataSourceState, { status, jobId }: JobClaim): void => {
  if (status !== 'managed') return;
  if (state.status !== 'managed' || state.job.jobId !== jobId)
    throw new DomainError('conflict', 'its executor has reported meanwhile');
};

/** Why the job is to end, or to be tried again. */
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
  /** Fails at once where the store is away: a pause is made without holding a lease. */
  readonly executeAtOnce: Execute;
  readonly clock: Clock;
  readonly log: Logger;
  readonly owner: string;
  readonly isTransient: IsTransient;
}

/** What becomes of the lease where nothing is left to delete; null: the deletion is still asked for. */
export const isOver = (found: LoadedDataSource | null): 'gone' | 'done' | null => {
  if (found === null || found.state.status === 'removed') return 'gone';
  return found.state.status === 'deleting' ? null : 'done';
};

/**
 * Puts a failed try off, or, where `pauseAfter` gives the deletion up, records that it failed. Logged once.
 *
 * @param found what was to be deleted; null: even that could not be read
 */
export const afterFailure = async (
  deps: FailedPurgeDeps,
  lease: Lease,
  found: LoadedDataSource | null,
  error: unknown,
): Promise<WorkOutcome> => {
  const { id: dataSourceId, attempt } = lease;
  // What fails may do so because somebody else has ended the deletion: then nothing has failed.
  const over = found === null ? null : await isOverByNow(deps, dataSourceId);
  if (over !== null) return over;
  const transient = deps.isTransient(error);
  const facts = { dataSourceId, attempt, error: messageOf(error) };
  const at = deps.clock.now();
  // Where even the request cannot be read, neither can the end be written.
  const since = found === null || found.state.status === 'none' ? at : found.state.since;
  const tries = { transient: transient, tries: attempt, lasting: lease.lasting + (transient ? 0 : 1), since };
  const pause = pauseAfter({ ...tries, at });
  const again = (ms: number): Deferral => {
    deps.log.warn('deletion will be tried again', {
      ...facts,
      transient: transient,
      inSeconds: Math.ceil(ms / 1000),
    });
    return { ms, transient: transient };
  };
  if (pause !== null || found === null) return again(pause ?? LAST_PAUSE_MS);
  if (!(await isGivenUp(deps, lease, found, failureOf(facts)))) return again(LAST_PAUSE_MS);
  deps.log.error('deletion failed', facts);
  return 'done';
};

/** Null as well while it cannot be read. */
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

/** Before the failure is recorded once more, which could not be. */
const LAST_PAUSE_MS = 60_000;

const failureOf = ({ attempt, error }: { readonly attempt: number; readonly error: string }): WorkError => ({
  title: 'Deletion failed',
  message: `given up after ${attempt} tries, the last of which failed: ${error}. It is tried again in a day, or by DELETE`,
});

/** Whether it is over, by us or by somebody else. */
const isGivenUp = async (
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
