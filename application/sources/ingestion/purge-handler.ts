import { dataSource, DELETION_REST, isToBeTakenUp } from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Deletions } from '../../ports/data-source-view.ts';
import type { Tracing, Logger } from '../../ports/logger.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import { workerContext, sweeperContext } from '../../jobs/loaded.ts';
import {
  type HeldWork,
  type PutDown,
  reasonOf,
  type StopReason,
  type WorkHandler,
  WorkLost,
} from '../../jobs/work-handler.ts';
import { afterFailure, type FailedPurgeDeps, isOver, isRefused } from './failed-purge.ts';
import { type LoadedDataSource, loadDataSource, type Purge } from './job.ts';
import { INGESTION_PURGE } from './kinds-of-work.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Clock } from '../../ports/identity.ts';
import { unhindered } from '../../jobs/sweep.ts';

interface FailedDeletionsDeps {
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

export interface PurgeHandlerDeps extends FailedDeletionsDeps, FailedPurgeDeps {
  readonly deletions: Deletions;
  readonly tracing: Tracing;
  readonly purge: Purge;
}

/** Accepted deletions of data sources. */
export const createPurgeHandler = (deps: PurgeHandlerDeps): WorkHandler => ({
  kind: INGESTION_PURGE,
  idName: 'dataSourceId',
  run: (held) => runPurge(deps, held),
  tidy: async () => {
    await takeUpDeletions(deps);
    await deps.deletions.forgetRemoved();
  },
});

/** Does an accepted deletion, and says what is to become of its lease. */
const runPurge = async (deps: PurgeHandlerDeps, held: HeldWork): Promise<PutDown> => {
  const { lease, shutdown } = held;
  let found: LoadedDataSource | null = null;
  try {
    found = await loadDataSource(deps.executeAtOnce, lease.id);
    const over = isOver(found);
    if (found === null || over !== null) return over ?? 'gone';
    await purgeAll(deps, held, found);
    return 'gone';
  } catch (error) {
    if (shutdown.aborted) return 'stopped';
    if (error instanceof WorkLost) return 'lost';
    return afterFailure(deps, lease, found, error);
  }
};

const purgeAll = async (
  deps: PurgeHandlerDeps,
  { lease, watched }: HeldWork,
  found: LoadedDataSource,
): Promise<void> => {
  const { id: dataSourceId, tenant } = lease;
  const stream = dataSourceStream(dataSourceId);
  const attributes = { 'knowledger.data_source_id': dataSourceId };
  await deps.tracing.inSpan('deletion', found.metadata, attributes, async (traceparent) => {
    const context = workerContext(found, deps.owner, traceparent);
    // No event stops a deletion, and no claim can take it over.
    const stopReason = () => undefined;
    const removed = await watched({ stream, revision: found.revision, stopReason }, (signal) =>
      deps.purge({ dataSourceId, tenant, context }, signal).catch((error: unknown) => {
        throw signal.aborted ? stopped(reasonOf(signal)) : error;
      }),
    );
    const command = { type: 'delete_done', ...removed, at: deps.clock.now() } as const;
    await deps.executeAtOnce(dataSource, stream, command, context).catch((error: unknown) => {
      throw isRefused(error) ? new WorkLost('another worker has ended the deletion') : error;
    });
  });
};

/** A newer version may have forbidden to go on: that is for it to say. */
const stopped = (reason: StopReason): Error =>
  reason === 'outdated'
    ? new DomainError('unavailable', 'a newer version of the service has written to the data source')
    : new WorkLost(reason);
