import type { Logger } from '../../../../application/ports/logger.ts';
import type { Projection } from '../projection.ts';
import type { Sql } from '../../database-schema.ts';
import { schemaOf } from '../versions.ts';

export interface MergingDeps {
  readonly db: Sql;
  readonly projection: Pick<Projection, 'view' | 'shape'> & {
    readonly merge: (trx: Sql, schema: string) => Promise<number>;
  };
  readonly log: Logger;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Waits until there may be something to merge, `ms` at most, or until aborted. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** How often a process looks that projects nothing itself: another one may have died while merging. */
const POLL_MS = 60_000;
/** Between two looks, however often it is woken. */
const PAUSE_MS = 250;

/**
 * Merges the segments of the view's lexical index until `signal` aborts, beside the projector, in steps of one
 * transaction each. Any number of processes may run it: one merges, and when it dies, nothing has happened. Versions
 * that a rebuild is filling are merged too, so that the first searches in them find few segments.
 */
export const runMerging = async (deps: MergingDeps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      while (!signal.aborted && (await mergeVersions(deps, signal)) > 0);
    } catch (error) {
      if (signal.aborted) return;
      deps.log.warn('index segments will be merged later', { error: (error as Error).message });
    }
    await deps.sleep(PAUSE_MS, signal);
    await deps.idle(POLL_MS, signal);
  }
};

/** One step in each version of the shape that this program knows; answers how much was merged. */
const mergeVersions = async (
  { db, projection: { view, shape, merge } }: MergingDeps,
  signal: AbortSignal,
): Promise<number> => {
  const versions = await db
    .selectFrom('projectionVersion')
    .select('version')
    .where('view', '=', view)
    .where('shape', '=', shape)
    .execute();
  let merged = 0;
  for (const { version } of versions) {
    if (signal.aborted) break;
    merged += await db.transaction().execute(async (trx) => {
      // Keeps the version from being dropped meanwhile; its checkpoint may move.
      const kept = await trx
        .selectFrom('projectionVersion')
        .select('version')
        .where('view', '=', view)
        .where('version', '=', version)
        .forKeyShare()
        .executeTakeFirst();
      return kept === undefined ? 0 : merge(trx, schemaOf(view, version));
    });
  }
  return merged;
};
