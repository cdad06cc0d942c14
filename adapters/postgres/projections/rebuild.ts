import type { EventFeed } from '../../../application/ports/event-store.ts';
import type { EventCodec } from '../../../application/event-codec.ts';
import { haltViewsAhead } from './ahead-of-log.ts';
import { applyBatch } from './apply-batch.ts';
import type { Leadership } from './leadership.ts';
import type { Projection } from './projection.ts';
import {
  createVersion,
  dropRetired,
  liveVersion,
  moveCheckpoint,
  type ProjectionDb,
  switchOver,
} from './versions.ts';

export interface RebuildDeps {
  readonly db: ProjectionDb;
  readonly feed: EventFeed;
  readonly codec: EventCodec;
  readonly onProgress?: (events: number) => void;
}

/**
 * Builds a view afresh from the first event, beside the live version, and switches over once it has read as far.
 * Reads go on meanwhile. When it fails or is aborted, the live version stays and the half-built one is dropped by the
 * next rebuild. Answers the number of events applied.
 *
 * @throws when an event cannot be applied, or `signal` aborts
 */
export const rebuild = async (
  { db, feed, codec, onProgress }: RebuildDeps,
  projection: Projection,
  signal: AbortSignal,
): Promise<number> => {
  await haltViewsAhead(db, feed, projection.view);
  const version = await createVersion(db, projection, false);
  let at = version.position;
  let applied = 0;
  for await (const message of feed.follow(at, projection.filter, { signal })) {
    if (message.kind === 'events') {
      at = await applyBatch(db, codec, projection, version, at, message.events);
      applied += message.events.length;
      onProgress?.(applied);
    } else if (message.position > at) {
      await moveCheckpoint(db, version, at, message.position);
      at = message.position;
    }
    if (message.kind === 'caughtUp' && (await switchOver(db, projection, version, signal))) {
      await dropRetired(db, projection.view, version.version);
      return applied;
    }
  }
  throw new Error(`the rebuild of ${projection.view} was stopped`);
};

/**
 * Gives every view a live version of the shape that this program knows: creates it, or rebuilds it when it is older. A
 * newer one is left alone, because the processes of a newer program use it. Of several processes one does the work, the
 * others wait for it.
 */
export const prepareViews = async (
  deps: RebuildDeps & { readonly leadership: Leadership },
  projections: readonly Projection[],
  signal: AbortSignal,
  onRebuild: (view: string) => void,
): Promise<void> => {
  const older = async (projection: Projection): Promise<boolean> => {
    const live =
      (await liveVersion(deps.db, projection.view)) ?? (await createVersion(deps.db, projection, true));
    return live.shape < projection.shape;
  };
  for (const projection of projections) {
    if (!(await older(projection))) continue;
    await deps.leadership.lead(rebuildLead(projection), signal, async (held) => {
      if (!(await older(projection))) return;
      onRebuild(projection.view);
      await rebuild(deps, projection, held);
    });
  }
};

const LOOK_MS = 1_000;
const TOLD_EVERY = 10;

/** Waits until other processes have given every view a live version of this program's shape, or a newer one. */
export const awaitViews = async (
  {
    db,
    sleep,
  }: Pick<RebuildDeps, 'db'> & { readonly sleep: (ms: number, signal: AbortSignal) => Promise<void> },
  projections: readonly Projection[],
  signal: AbortSignal,
  onWait: (view: string) => void,
): Promise<void> => {
  for (const { view, shape } of projections) {
    for (let looks = 0; !signal.aborted; looks += 1) {
      const live = await liveVersion(db, view);
      if (live !== undefined && live.shape >= shape) break;
      if (looks % TOLD_EVERY === 0) onWait(view);
      await sleep(LOOK_MS, signal);
    }
  }
};

/** What a process must lead that rebuilds a view: two at once would drop what the other has half built. */
export const rebuildLead = ({ view }: Projection): string => `rebuild ${view}`;
