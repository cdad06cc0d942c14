import {
  DELETION_REST_PERIOD,
  type DataSourceCommand,
  type DataSourceState,
  LOST_JOB_REST_PERIOD,
  dataSource,
  isToBeTakenUp,
} from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import { loggingFailure, sweeperContext } from '../../jobs/load-work.ts';
import type { Deletions, LostJobs } from '../../ports/data-source-view.ts';
import type { Clock, IdSource } from '../../ports/identity.ts';
import type { Logger } from '../../ports/logger.ts';
import { loadDataSource } from './job.ts';

export interface TakeUpDeps {
  /** Fails at once where the store is unavailable: other work does not wait for it. */
  readonly executeAtOnce: Execute;
  readonly clock: Clock;
  readonly log: Logger;
  readonly owner: string;
}

/** Data sources that are looked at in one pass. */
const MAX_AT_ONCE = 100;

const DELETION = { done: 'deletion taken up again', failed: 'a failed deletion was left' };
const JOB = { done: 'lost job taken up again', failed: 'a lost job was left' };

/** Requests deletions once more that were given up a day ago. Any process may do so, and often: the aggregate judges. */
export const takeUpDeletions = async (
  deps: TakeUpDeps & { readonly deletions: Pick<Deletions, 'failed'> },
): Promise<void> => {
  const at = deps.clock.now();
  for (const { dataSourceId } of await deps.deletions.failed(at - DELETION_REST_PERIOD, MAX_AT_ONCE))
    await takeUp(deps, DELETION, dataSourceId, { type: 'delete', at }, (state) => isToBeTakenUp(state, at));
};

/** Queues the data source again whose job failed a day ago because its workers were lost. Likewise. */
export const takeUpLostJobs = async (
  deps: TakeUpDeps & { readonly lostJobs: LostJobs; readonly ids: IdSource },
): Promise<void> => {
  const at = deps.clock.now();
  for (const { dataSourceId, jobId } of await deps.lostJobs.failed(at - LOST_JOB_REST_PERIOD, MAX_AT_ONCE)) {
    const again = { trigger: 'recovery', mode: 'incremental', jobId: deps.ids.newId() } as const;
    const isLost = (state: DataSourceState) => state.status === 'failure' && state.job.jobId === jobId;
    await takeUp(deps, JOB, dataSourceId, { type: 'enqueue', ...again, at }, isLost);
  }
};

const takeUp = async (
  { executeAtOnce, log, owner }: TakeUpDeps,
  messages: typeof JOB,
  dataSourceId: string,
  command: DataSourceCommand,
  isDue: (state: DataSourceState) => boolean,
): Promise<void> => {
  const again = async (): Promise<void> => {
    const found = await loadDataSource(executeAtOnce, dataSourceId);
    if (found === null) return;
    const guard = (state: DataSourceState): void => {
      if (!isDue(state)) throw new DomainError('conflict', 'it has been taken up meanwhile');
    };
    const context = sweeperContext(found, owner);
    await executeAtOnce(dataSource, dataSourceStream(dataSourceId), command, context, { guard });
    log.info(messages.done, { dataSourceId });
  };
  await loggingFailure(log, messages.failed, { dataSourceId }, again());
};
