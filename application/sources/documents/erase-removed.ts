import { type Connectors, retainedFilesOf, forgetDocument, UPLOAD_GRACE_MS } from '../ingestion/connector.ts';
import { INGESTION_ERASURE } from '../ingestion/job.ts';
import type { EventFeed } from '../../ports/event-store.ts';
import type { FileAreas } from '../../ports/file-store.ts';
import type { Clock } from '../../ports/identity.ts';
import type { Logger } from '../../ports/logger.ts';
import type { PurgeCatalog } from '../../ports/catalog.ts';
import { type ReadGate, ReadModelsBehind } from '../../ports/read-gate.ts';
import type { PendingErasure, Tombstones } from '../../ports/read-your-writes.ts';
import type { UnsweptDataSource, UnsweptFiles } from '../../ports/unswept-files.ts';
import type { WorkLeases } from '../../ports/leases.ts';

export interface EraseRemovedDeps {
  readonly tombstones: Pick<Tombstones, 'pendingErasures' | 'removeSources'>;
  readonly unswept: Pick<UnsweptFiles, 'due' | 'swept'>;
  readonly leases: Pick<WorkLeases, 'claimOne' | 'release'>;
  readonly catalog: Pick<PurgeCatalog, 'filesOf'>;
  readonly connectors: Connectors;
  readonly files: Pick<FileAreas, 'area' | 'sweep'>;
  readonly gate: ReadGate;
  readonly feed: Pick<EventFeed, 'head'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly owner: string;
  readonly leaseMs: number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

const POLL_MS = 1_000;
const MOST = 20;
const PROJECTED_MS = 10_000;
/** The fraction of the lease that is a safety margin. */
const MARGIN = 1 / 12;

/**
 * Deletes the bytes of removed documents, and files that no readable document refers to any more, until `signal`
 * aborts: former versions, skipped documents, and what jobs stored and did not record. A later poll retries failures,
 * and data sources with a running job or with a lease of another process. A reader of a deleted file gets all of it, or
 * finds none.
 */
export const eraseRemoved = async (deps: EraseRemovedDeps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      for (const pending of await deps.tombstones.pendingErasures(MOST)) {
        if (signal.aborted) return;
        await underLease(deps, pending, (held) => erase(deps, pending, held));
      }
      for (const unswept of await deps.unswept.due(MOST)) {
        if (signal.aborted) return;
        await underLease(deps, unswept, (held) => sweep(deps, unswept, held));
      }
    } catch (error) {
      deps.log.warn('bytes of removed documents not erased', {
        error: (error as Error).message,
      });
    }
    await deps.sleep(POLL_MS, signal);
  }
};

const underLease = async (
  deps: EraseRemovedDeps,
  { dataSourceId: id, tenant }: Pick<PendingErasure, 'dataSourceId' | 'tenant'>,
  use: (assertLeaseHeld: () => void) => Promise<void>,
): Promise<void> => {
  const { leases, owner, leaseMs, clock } = deps;
  const until = clock.now() + leaseMs * (1 - MARGIN);
  const lease = await leases.claimOne(owner, { kind: INGESTION_ERASURE, id, tenant }, leaseMs);
  if (lease === null) return;
  try {
    await use(() => {
      if (clock.now() > until) throw new Error('the lease has expired');
    });
  } finally {
    await leases.release(owner, lease, 'done');
  }
};

const sweep = async (
  deps: EraseRemovedDeps,
  { dataSourceId, statusSince }: UnsweptDataSource,
  assertLeaseHeld: () => void,
): Promise<void> => {
  const { keep, before, spares } = await neededFiles(deps, dataSourceId);
  assertLeaseHeld();
  const limit = before();
  await deps.files.sweep(dataSourceId, keep, limit);
  // Of what its last job left, some may be too young.
  const again = spares && statusSince > limit;
  await deps.unswept.swept(dataSourceId, again ? UPLOAD_GRACE_MS : null);
};

/** Files that stay: those of readable documents, those that a connector keeps, and those written after `before`. */
const neededFiles = async (
  { gate, feed, catalog, connectors, clock }: EraseRemovedDeps,
  dataSourceId: string,
  removed?: ReadonlySet<string>,
) => {
  // Other writers of this data source hold the lease before or after, so all their facts are in the log.
  if (!(await gate.reached(['catalog'], await feed.head(), PROJECTED_MS)))
    throw new ReadModelsBehind('the catalog does not catch up');
  const kept = await retainedFilesOf(connectors, dataSourceId, removed);
  const keep = new Set([...kept, ...(await catalog.filesOf(dataSourceId))]);
  const spares = kept.size > 0;
  return { keep, spares, before: () => clock.now() - (spares ? UPLOAD_GRACE_MS : 0) };
};

/** Another document may have equal bytes: files of readable documents stay. */
const erase = async (
  deps: EraseRemovedDeps,
  { dataSourceId, sources }: PendingErasure,
  assertLeaseHeld: () => void,
): Promise<void> => {
  const { files, connectors, tombstones, log } = deps;
  const removed = new Set(sources.map(({ sourceId }) => sourceId));
  const { keep, before } = await neededFiles(deps, dataSourceId, removed);
  const area = await files.area(dataSourceId);
  for (const sha256 of sources.flatMap((mark) => mark.files)) {
    assertLeaseHeld();
    if (!keep.has(sha256)) await area.delete(sha256);
  }
  assertLeaseHeld();
  // Former versions, and files of the document that a job stored without recording them.
  await files.sweep(dataSourceId, keep, before());
  for (const { sourceId, generation } of sources) {
    await forgetDocument(connectors, { dataSourceId, generation }, sourceId);
  }
  assertLeaseHeld();
  await tombstones.removeSources(sources);
  log.info('documents erased', { dataSourceId, documents: sources.length });
};
