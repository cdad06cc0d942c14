import type { SearchEngineIndexes } from '../../../application/ports/search-engine.ts';
import type { Projection } from '../projections/projection.ts';
import { type ProjectorDeps, runProjector } from '../projections/projector.ts';
import { prepareViews, type RebuildDeps } from '../projections/rebuild.ts';
import { liveVersion, schemaOf } from '../projections/versions.ts';
import { writeNewVectors } from './new-vectors.ts';

/** How long an engine that cannot be prepared, or written to, is left alone. */
const TRY_AGAIN_MS = 5_000;
/** How long nobody looks for new vectors. */
const VECTORS_MS = 1_000;

/**
 * Makes the index of the view, or rebuilds it, and then keeps it up to date until `signal` aborts. Unlike other views it
 * is rebuilt beside the running service: its texts come from the catalog, which others keep up to date meanwhile.
 * Vectors follow when the contents have them.
 */
export const runSearchProjector = async (
  deps: ProjectorDeps & RebuildDeps & { readonly indexes: SearchEngineIndexes },
  search: Projection,
  signal: AbortSignal,
): Promise<void> => {
  const { db, indexes, leadership, log, sleep } = deps;
  const untilItEnds = async (run: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) {
      try {
        await run();
      } catch (error) {
        if (signal.aborted) return;
        log.warn('the search engine cannot be kept up to date', { error: (error as Error).message });
        await sleep(TRY_AGAIN_MS, signal);
      }
    }
  };
  /** Without a write nobody else would see it. What the engine does not answer, it has not lost. */
  const untilIndexIsLost = async (until: AbortSignal): Promise<void> => {
    for (let position: string | null = ''; position !== null && !until.aborted;) {
      await sleep(TRY_AGAIN_MS, until);
      const live = await liveVersion(db, search.view).catch(() => undefined);
      if (live !== undefined)
        position = await indexes.position(schemaOf(live.view, live.version)).catch(() => '');
    }
  };
  const onRebuild = (view: string): void => log.info('rebuilding', { view });
  await Promise.all([
    untilItEnds(async () => {
      await prepareViews(deps, [search], signal, onRebuild);
      const over = new AbortController();
      const until = AbortSignal.any([signal, over.signal]);
      const watching = untilIndexIsLost(until).then(() => over.abort());
      try {
        await runProjector(deps, search, until);
      } finally {
        over.abort();
        await watching;
      }
    }),
    untilItEnds(() =>
      leadership.lead('vectors of search', signal, async (held) => {
        while (!held.aborted) if ((await writeNewVectors(db, indexes)) === 0) await sleep(VECTORS_MS, held);
      }),
    ),
  ]);
};
