import { dataSource, DELETION_REST, isToBeTakenUp } from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Deletions } from '../../ports/data-source-view.ts';
import type { Clock } from '../../ports/identity.ts';
import type { Logger } from '../../ports/logger.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import { sweeperContext } from '../../jobs/loaded.ts';
import { unhindered } from '../../jobs/sweep.ts';
import { type LoadedDataSource, loadDataSource } from './job.ts';

export interface FailedDeletionsDeps {
  readonly deletions: Pick<Deletions, 'failed'>;
  /** Fails at once where the store is away: the others are not kept waiting. */
  readonly executeAtOnce: Execute;
  readonly clock: Clock;
  readonly log: Logger;
  readonly owner: string;
}

const MOST = 100;

/** Asks once more for deletions that were given up a day ago. Safe to run anywhere and often: the aggregate judges. */
export const takeUpDeletions = async (deps: FailedDeletionsDeps): Promise<void> => {
  for (const { dataSourceId } of await deps.deletions.failed(deps.clock.now() - DELETION_REST, MOST)) {
    const facts = { dataSourceId };
    await unhindered(deps.log, 'a failed deletion was left', facts, takeUpOne(deps, dataSourceId));
  }
};

const takeUpOne = async (
  { executeAtOnce, clock, log, owner }: FailedDeletionsDeps,
  dataSourceId: string,
): Promise<void> => {
  const found = await loadDataSource(executeAtOnce, dataSourceId);
  if (found === null) return;
  const at = clock.now();
  const guard = (state: LoadedDataSource['state']): void => {
    if (!isToBeTakenUp(state, at)) throw new DomainError('conflict', 'the deletion has been taken up');
  };
  const stream = dataSourceStream(dataSourceId);
  const context = sweeperContext(found, owner);
  await executeAtOnce(dataSource, stream, { type: 'delete', at }, context, { guard });
  log.info('deletion taken up again', { dataSourceId });
};
