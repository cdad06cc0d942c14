import {
  DELETION_REST_PERIOD,
  type DataSourceCommand,
  type DataSourceState,
  LOST_JOB_REST_PERIOD,
  dataSource,
  isDueAgain,
} from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import { loggingFailure, sweeperContext } from '../../jobs/load-work.ts';
import type { Deletions, LostJobs } from '../../ports/data-source-view.ts';
import type { Clock, IdSource } from '../../ports/identity.ts';
import type { Logger } from '../../ports/logger.ts';
import { loadDataSource } from './job.ts';

export interface RetryDeps {
  /** Fails at once if the store is unavailable, so that other work is not delayed. */
  readonly executeAtOnce: Execute;
  readonly clock: Clock;
  readonly log: Logger;
  readonly owner: string;
}

/** Maximum number of data sources per pass. */
const MAX_AT_ONCE = 100;

const DELETION = { done: 'deletion taken up again', failed: 'failed deletion not retried' };
const JOB = { done: 'lost job taken up again', failed: 'lost job not retried' };

/**
 * Retries deletions that failed a day ago or earlier. Any process may run it at any time, because the aggregate
 * decides.
 */
export const retryFailedDeletions = async (
  deps: RetryDeps & { readonly deletions: Pick<Deletions, 'failed'> },
): Promise<void> => {
  const at = deps.clock.now();
  for (const { dataSourceId } of await deps.deletions.failed(at - DELETION_REST_PERIOD, MAX_AT_ONCE))
    await retryOne(deps, DELETION, dataSourceId, { type: 'delete', at }, (state) => isDueAgain(state, at));
};

/**
 * Queues a new job for data sources whose job failed a day ago or earlier because its workers were lost. Any process
 * may run it at any time.
 */
export const retryLostJobs = async (
  deps: RetryDeps & { readonly lostJobs: LostJobs; readonly ids: IdSource },
): Promise<void> => {
  const at = deps.clock.now();
  for (const { dataSourceId, jobId } of await deps.lostJobs.failed(at - LOST_JOB_REST_PERIOD, MAX_AT_ONCE)) {
    const again = { trigger: 'recovery', mode: 'incremental', jobId: deps.ids.newId() } as const;
    const isLost = (state: DataSourceState) => state.status === 'failure' && state.job.jobId === jobId;
    await retryOne(deps, JOB, dataSourceId, { type: 'enqueue', ...again, at }, isLost);
  }
};

const retryOne = async (
  { executeAtOnce, log, owner }: RetryDeps,
  messages: typeof JOB,
  dataSourceId: string,
  command: DataSourceCommand,
  isDue: (state: DataSourceState) => boolean,
): Promise<void> => {
  const again = async (): Promise<void> => {
    const found = await loadDataSource(executeAtOnce, dataSourceId);
    if (found === null) return;
    const guard = (state: DataSourceState): void => {
      if (!isDue(state)) throw new DomainError('conflict', 'it has been retried meanwhile');
    };
    const context = sweeperContext(found, owner);
    await executeAtOnce(dataSource, dataSourceStream(dataSourceId), command, context, { guard });
    log.info(messages.done, { dataSourceId });
  };
  await loggingFailure(log, messages.failed, { dataSourceId }, again());
};
