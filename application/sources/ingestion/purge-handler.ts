import { dataSource } from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { source } from '../../../domain/source/decider.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { dataSourceStream, sourceStream } from '../../event-sourcing/streams.ts';
import { workerContext } from '../../jobs/load-work.ts';
import {
  type LeasedWork,
  type WorkOutcome,
  type StopReason,
  type WorkHandler,
  WorkLost,
  stopReasonOf,
} from '../../jobs/work-handler.ts';
import type { PurgeCatalog } from '../../ports/catalog.ts';
import type { Deletions } from '../../ports/data-source-view.ts';
import type { EventFeed } from '../../ports/event-store.ts';
import type { FileAreas } from '../../ports/file-store.ts';
import type { Clock } from '../../ports/identity.ts';
import type { Tracing } from '../../ports/logger.ts';
import { type ReadGate, ReadModelsBehind, type ViewName } from '../../ports/read-gate.ts';
import type { Tombstones } from '../../ports/read-your-writes.ts';
import type { DueSchedules } from '../../ports/recurrence.ts';
import type { VectorStore } from '../../ports/vector-store.ts';
import { type FailedPurgeDeps, afterFailure, isOver, isRefused } from './abandoned-job.ts';
import { type Connectors, forgetDataSource } from './connector.ts';
import { type RetryDeps, retryFailedDeletions } from './retry-failed.ts';
import { INGESTION_PURGE, type LoadedDataSource, type Purge, loadDataSource } from './job.ts';

export interface PurgeHandlerDeps extends RetryDeps, FailedPurgeDeps {
  readonly deletions: Deletions;
  readonly tracing: Tracing;
  readonly purge: Purge;
}

/** Handles accepted deletions of data sources. */
export const createPurgeHandler = (deps: PurgeHandlerDeps): WorkHandler => ({
  kind: INGESTION_PURGE,
  idName: 'dataSourceId',
  run: (held) => runPurge(deps, held),
  cleanUp: async () => {
    await retryFailedDeletions(deps);
    await deps.deletions.forgetRemoved();
  },
});

/** Performs an accepted deletion; returns what happens to its lease. */
const runPurge = async (deps: PurgeHandlerDeps, held: LeasedWork): Promise<WorkOutcome> => {
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
  { lease, watched }: LeasedWork,
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
        throw signal.aborted ? stopped(stopReasonOf(signal)) : error;
      }),
    );
    const command = { type: 'delete_done', ...removed, at: deps.clock.now() } as const;
    await deps.executeAtOnce(dataSource, stream, command, context).catch((error: unknown) => {
      throw isRefused(error) ? new WorkLost('another worker has completed the deletion') : error;
    });
  });
};

/** After an event of a newer version, only that version can decide how to continue. */
const stopped = (reason: StopReason): Error =>
  reason === 'outdated'
    ? new DomainError('unavailable', 'a newer version of the service has written to the data source')
    : new WorkLost(reason);

export interface PurgeDeps {
  readonly execute: Execute;
  readonly catalog: PurgeCatalog;
  readonly vectors: Pick<VectorStore, 'forget'>;
  readonly feed: EventFeed;
  readonly gate: ReadGate;
  readonly files: FileAreas;
  readonly connectors: Connectors;
  readonly schedules: Pick<DueSchedules, 'forget'>;
  readonly tombstones: Tombstones;
  readonly clock: Clock;
}

const AT_ONCE = 200;
/** Views that hide the data source once they have processed its deletion. */
const HIDING: readonly ViewName[] = ['catalog', 'tag'];
const PROJECTED_MS = 60_000;
const behind = (): Error => new ReadModelsBehind('the read models do not catch up: see /readyz');

/**
 * Removes every document of a data source by its own event, waits for the read models, deletes vectors and files, and
 * verifies that nothing is left. Returns the counts of the read models before the deletion.
 */
export const createPurge =
  ({
    execute,
    catalog,
    vectors,
    feed,
    gate,
    files,
    connectors,
    schedules,
    tombstones,
    clock,
  }: PurgeDeps): Purge =>
  async ({ dataSourceId, tenant, context }, signal) => {
    // The interrupted worker has released its lease, so its last events are in the log.
    if (!(await gate.reached(HIDING, await feed.head(), PROJECTED_MS, signal))) throw behind();
    const before = await catalog.countOf(dataSourceId);
    const removeOne = async (sourceId: string): Promise<string> => {
      const command = {
        type: 'remove',
        reason: 'data_source_deleted',
        jobId: '',
        generation: 0,
        at: clock.now(),
      } as const;
      return (await execute(source, sourceStream(sourceId), command, context)).position;
    };
    for (;;) {
      signal.throwIfAborted();
      const ids = await catalog.sourceIds(tenant, dataSourceId, AT_ONCE);
      if (ids.length === 0) break;
      const positions = await Promise.all(ids.map(removeOne));
      const last = positions.toSorted().at(-1) ?? '';
      if (!(await gate.reached(['catalog'], last, PROJECTED_MS, signal))) {
        throw behind();
      }
    }
    await vectors.forget(tenant, dataSourceId);
    const bytes = await files.remove(dataSourceId);
    await forgetDataSource(connectors, dataSourceId);
    await schedules.forget(dataSourceId);
    const left = await catalog.countOf(dataSourceId);
    if (left.contents > 0 || left.sources > 0) {
      throw new Error(`${left.contents} contents and ${left.sources} sources are left`);
    }
    await tombstones.removeDataSource(dataSourceId);
    return { ...before, bytes };
  };
