import {
  dataSource,
  type DataSourceCommand,
  type DataSourceState,
  MANAGED_SILENCE_LIMIT,
} from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Clock } from '../../ports/identity.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ItemStore } from '../../ports/item-store.ts';
import type { Abandoned } from '../../ports/leases.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import { sweeperContext } from '../../jobs/loaded.ts';
import { loadDataSource, type WorkError } from './job.ts';

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
  return clock.now() - heardAt >= MANAGED_SILENCE_LIMIT;
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
    return { type: 'retry', reason, error: error('Worker lost', 'the worker stopped answering'), ...own };
  }
  if (reason === 'worker_stopped') return { type: 'retry', reason, ...own };
  if (status === 'starting') {
    return { type: 'retry', reason, error: error('Timed out', 'the job did not start within 180 s'), ...own };
  }
  return { type: 'fail', code: reason, error: error('Timed out', 'the job ran for 24 hours'), ...own };
};

const error = (title: WorkError['title'], message: string): WorkError => ({ title, message });
