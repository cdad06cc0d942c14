import type { Sql } from '../database-schema.ts';
import type { EventFeed } from '../../../application/ports/event-store.ts';
import { shareFeed } from '../../event-feed/shared-feed.ts';
import { type ApplyDeps, applyBatch, relevantEvents } from './apply-batch.ts';
import { haltViewsAhead } from './health.ts';
import type { Leadership } from '../leadership.ts';
import { DEFAULT_BATCH_SIZE, type Projection } from './projection.ts';
import {
  type Version,
  createVersion,
  dropRetired,
  liveVersion,
  moveCheckpoint,
  switchOver,
} from './versions.ts';

export interface RebuildDeps extends ApplyDeps {
  /** On the same database as `transact`. */
  readonly db: Sql;
  readonly feed: EventFeed;
  /** Called after each batch with the number of events that this view has applied so far. */
  readonly onProgress?: (view: string, events: number) => void;
}

/** The result of one view: the number of applied events, or the error that left it unchanged. */
export type RebuildResult =
  | { readonly view: string; readonly events: number; readonly error?: undefined }
  | { readonly view: string; readonly events?: undefined; readonly error: Error };

/**
 * Rebuilds views from the first event next to their live versions, and switches each over once it has read as
 * far. The log is read once for all of them, and reads continue meanwhile. If one fails or `signal` aborts,
 * its live version stays, and its next rebuild drops the unfinished one; the others continue.
 */
export const rebuildTogether = async (
  deps: RebuildDeps,
  projections: readonly Projection[],
  signal: AbortSignal,
): Promise<readonly RebuildResult[]> => {
  // Before any of them reads, so that they start together.
  const started = await Promise.allSettled(projections.map((projection) => startRebuild(deps, projection)));
  const together = { ...deps, feed: feedOfViews(deps.feed, projections) };
  const built = started.map(async (version, index): Promise<number> => {
    if (version.status === 'rejected') throw version.reason as Error;
    return build(together, projections[index]!, version.value, signal);
  });
  const ended = await Promise.allSettled(built);
  return ended.map((end, index) => {
    const { view } = projections[index]!;
    return end.status === 'fulfilled' ? { view, events: end.value } : { view, error: end.reason as Error };
  });
};

/**
 * Rebuilds one view like `rebuildTogether`. Returns the number of applied events.
 *
 * @throws when an event cannot be applied, or `signal` aborts
 */
export const rebuild = async (
  deps: RebuildDeps,
  projection: Projection,
  signal: AbortSignal,
): Promise<number> => {
  const [rebuilt] = await rebuildTogether(deps, [projection], signal);
  if (rebuilt!.error !== undefined) throw rebuilt!.error;
  return rebuilt!.events;
};

const startRebuild = async ({ db, feed }: RebuildDeps, projection: Projection): Promise<Version> => {
  await haltViewsAhead(db, feed, projection.view);
  return createVersion(db, projection, false);
};

const build = async (
  deps: RebuildDeps,
  projection: Projection,
  version: Version,
  signal: AbortSignal,
): Promise<number> => {
  const { view, filter } = projection;
  const { db, feed, codec, onProgress } = deps;
  let at = version.position;
  let applied = 0;
  for await (const message of feed.follow(at, filter, {
    signal,
    batchSize: projection.batchSize ?? DEFAULT_BATCH_SIZE,
  })) {
    if (message.kind === 'events') {
      const events = relevantEvents(codec, projection, message.events);
      if (events.length > 0) at = await applyBatch(deps, projection, version, at, events, message.position);
      applied += message.events.length;
      onProgress?.(view, applied);
    }
    if (message.kind !== 'caughtUp') continue;
    // No reader waits for this version, so a stretch without its events is skipped in one move.
    if (message.position > at) await moveCheckpoint(db, version, at, message.position);
    at = message.position;
    if (!(await switchOver(db, projection, version, signal))) continue;
    await dropRetired(db, projection, version.version);
    return applied;
  }
  throw new Error(`the rebuild of ${view} was stopped`);
};

/**
 * Gives every view a live version of this program's shape: creates it, or rebuilds an older one. A newer one
 * stays, because the processes of a newer program use it. One process does the work, the others wait for it.
 *
 * @throws if one cannot be rebuilt, after the others are
 */
export const prepareViews = async (
  deps: RebuildDeps & { readonly leadership: Leadership },
  projections: readonly Projection[],
  signal: AbortSignal,
  onRebuild: (view: string) => void,
): Promise<void> => {
  const older = async (given: readonly Projection[]): Promise<readonly Projection[]> => {
    const found: Projection[] = [];
    for (const projection of given) {
      const live =
        (await liveVersion(deps.db, projection.view)) ?? (await createVersion(deps.db, projection, true));
      if (live.shape < projection.shape) found.push(projection);
    }
    return found;
  };
  const outdated = await older(projections);
  await leadRebuilds(deps.leadership, outdated, signal, async (held) => {
    const left = await older(outdated);
    for (const { view } of left) onRebuild(view);
    const failed = (await rebuildTogether(deps, left, held)).find(({ error }) => error !== undefined);
    if (failed !== undefined) throw failed.error;
  });
};

/**
 * Leads the rebuilds of all these views, in a fixed order: two processes at once would drop each other's
 * unfinished versions.
 */
export const leadRebuilds = async <T>(
  leadership: Leadership,
  [first, ...others]: readonly Projection[],
  signal: AbortSignal,
  task: (held: AbortSignal) => Promise<T>,
): Promise<T | undefined> =>
  first === undefined
    ? task(signal)
    : leadership.lead(`rebuild ${first.view}`, signal, (held) =>
        leadRebuilds(leadership, others, held, task),
      );

const POLL_MS = 1_000;
const REPORT_EVERY = 10;

/**
 * Waits until other processes have given every view a live version of this program's shape or a newer one.
 */
export const awaitViews = async (
  { db, sleep }: { readonly db: Sql; readonly sleep: (ms: number, signal: AbortSignal) => Promise<void> },
  projections: readonly Projection[],
  signal: AbortSignal,
  onWait: (view: string) => void,
): Promise<void> => {
  for (const { view, shape } of projections) {
    for (let polls = 0; !signal.aborted; polls += 1) {
      const live = await liveVersion(db, view);
      if (live !== undefined && live.shape >= shape) break;
      if (polls % REPORT_EVERY === 0) onWait(view);
      await sleep(POLL_MS, signal);
    }
  }
};

/** A feed for these views: views at the same position share one read of the log. Create one per process. */
export const feedOfViews = <Feed extends EventFeed>(feed: Feed, views: readonly Projection[]): Feed => {
  const categories = views.map(({ filter }) => filter.categories);
  const expectedFollowers = views.length;
  return shareFeed(
    feed,
    categories.includes(undefined)
      ? { expectedFollowers }
      : { expectedFollowers, categories: union(categories) },
  );
};

const union = (lists: readonly (readonly string[] | undefined)[]): readonly string[] => [
  ...new Set(lists.flatMap((list) => list ?? [])),
];
