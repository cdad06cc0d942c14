import type { Logger } from '../../../../application/ports/logger.ts';
import type { Projection } from '../projection.ts';
import type { Sql } from '../../database-schema.ts';
import { schemaOf } from '../versions.ts';

export interface SegmentMergingDeps {
  readonly db: Sql;
  readonly projection: Pick<Projection, 'view' | 'shape'> & {
    readonly merge: (trx: Sql, schema: string) => Promise<number>;
  };
  readonly log: Logger;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Waits until there may be segments to merge, for at most `ms`, or until aborted. */
  readonly waitForWork: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * How often a process without a projector checks for segments to merge: the process that was merging may have
 * died.
 */
const POLL_MS = 60_000;
/** Minimum pause between two passes, even if the loop is woken more often. */
const PAUSE_MS = 2_000;

/**
 * Merges the segments of the view's lexical index until `signal` aborts, next to the projector, with one
 * transaction per step. Any number of processes may run this loop: one of them merges at a time, and if it
 * dies its transaction rolls back. Versions that a rebuild is filling are merged too, so that the first
 * searches in them find few segments.
 */
export const runSegmentMerging = async (deps: SegmentMergingDeps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      while (!signal.aborted && (await mergeVersions(deps, signal)) > 0);
    } catch (error) {
      if (signal.aborted) return;
      deps.log.warn('merging index segments failed and will be retried', { error: (error as Error).message });
    }
    await deps.sleep(PAUSE_MS, signal);
    await deps.waitForWork(POLL_MS, signal);
  }
};

/** Runs one merge step in every version of this program's shape. Returns the number of merged segments. */
const mergeVersions = (
  { db, projection: { view, shape, merge } }: SegmentMergingDeps,
  signal: AbortSignal,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    // Locks the versions against being dropped; their checkpoints may still advance.
    const versions = await trx
      .selectFrom('projectionVersion')
      .select('version')
      .where('view', '=', view)
      .where('shape', '=', shape)
      .forKeyShare()
      .execute();
    let merged = 0;
    for (const { version } of versions)
      if (!signal.aborted) merged += await merge(trx, schemaOf(view, version));
    return merged;
  });
