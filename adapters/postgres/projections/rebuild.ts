import type { EventFeed } from '../../../application/ports/event-store.ts';
import type { EventCodec } from '../../../application/event-codec.ts';
import { applyBatch } from './apply-batch.ts';
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
    if (message.kind === 'caughtUp' && (await switchOver(db, projection, version))) {
      await dropRetired(db, projection.view, version.version);
      return applied;
    }
  }
  throw new Error(`the rebuild of ${projection.view} was stopped`);
};

/** Gives every view a live version of the shape that this program knows: creates it, or rebuilds it when it differs. */
export const prepareViews = async (
  deps: RebuildDeps,
  projections: readonly Projection[],
  signal: AbortSignal,
  onRebuild: (view: string) => void,
): Promise<void> => {
  for (const projection of projections) {
    const live =
      (await liveVersion(deps.db, projection.view)) ?? (await createVersion(deps.db, projection, true));
    if (live.shape === projection.shape) continue;
    onRebuild(projection.view);
    await rebuild(deps, projection, signal);
  }
};
