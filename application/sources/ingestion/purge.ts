import { source } from '../../../domain/source/decider.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { DueSchedules } from '../../ports/recurrence.ts';
import type { EventFeed } from '../../ports/event-store.ts';
import type { FileAreas } from '../../ports/file-store.ts';
import type { Clock } from '../../ports/identity.ts';
import type { PurgeCatalog } from '../../ports/catalog.ts';
import type { VectorStore } from '../../ports/vector-index.ts';
import { type ReadGate, ReadModelsBehind, type ViewName } from '../../ports/read-gate.ts';
import type { Tombstones } from '../../ports/read-your-writes.ts';
import { sourceStream } from '../../event-sourcing/streams.ts';
import { type Connectors, forgetDataSource } from './connector.ts';
import type { Purge } from './job.ts';

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
/** Views that leave the data source out by themselves when they have read of its deletion. */
const HIDING: readonly ViewName[] = ['catalog', 'tag'];
const PROJECTED_MS = 60_000;
const behind = (): Error => new ReadModelsBehind('the read models do not follow: look at /readyz');

/**
 * Removes every document of a data source by a fact of its own, waits until the read models have followed, deletes
 * vectors and files, and verifies that nothing is left. What it counts is what the read models held before.
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
    // The worker that the deletion interrupted has put its lease down: what it wrote last is in the log by now.
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
