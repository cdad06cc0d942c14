import { CollectorUnavailable } from '../../../application/audit/log-collector.ts';
import type { Sql } from '../database-schema.ts';
import type { EventCodec } from '../../../application/event-sourcing/event-codec.ts';
import type { EventFeed, Position, RecordedEvent } from '../../../application/ports/event-store.ts';
import type { Logger } from '../../../application/ports/logger.ts';
import { AHEAD_OF_LOG, haltViewsAhead } from './health.ts';
import { applyBatch, applyOneByOne, relevantEvents, isRetryable, PoisonEvent } from './apply-batch.ts';
import type { Leadership } from '../leadership.ts';
import type { ViewProgress } from './read-gate.ts';
import { DEFAULT_BATCH_SIZE, type Projection } from './projection.ts';
import type { CheckpointMoves } from './checkpoint-moves.ts';
import type { Transact } from '../transaction.ts';
import { LostRace, liveVersion, moveCheckpoint, recordHalt, schemaOf, type Version } from './versions.ts';

export interface ProjectorDeps {
  readonly db: Sql;
  /** On the same database. */
  readonly transact: Transact;
  /** Shared by the projectors of a process, so that they share their reads of the log. */
  readonly feed: EventFeed;
  /** Shared by all projectors of a process. */
  readonly moves: CheckpointMoves;
  readonly codec: EventCodec;
  readonly log: Logger;
  readonly leadership: Leadership;
  /** Waits, or returns early when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Receives the position of the view while this process moves it. */
  readonly progress?: ViewProgress;
}

/** Attempts to apply a failing batch before its events are applied one by one. */
const MAX_ATTEMPTS = 3;
/** How often a halted projection checks whether another version has replaced the live one. */
const VERSION_POLL_MS = 2_000;

/**
 * Keeps the live version of one view up to date until `signal` aborts. Any number of processes may run it:
 * one leads, the others stand by. If two believe that they lead, the checkpoint lets only one of them win
 * each batch. An event that cannot be applied halts the projection visibly; it is never skipped.
 */
export const runProjector = async (
  deps: ProjectorDeps,
  projection: Projection,
  signal: AbortSignal,
): Promise<void> => {
  const { view, shape } = projection;
  while (!signal.aborted) {
    await deps.leadership.lead(`view ${view}`, signal, (held) => project(deps, projection, held));
    if (signal.aborted) return;
    // The lead was lost, or another program owns the live version: both are for other processes to continue.
    deps.log.info('projection stands by', { view, shape });
    await deps.sleep(VERSION_POLL_MS, signal);
  }
};

/** Runs until the lead is lost, or the live version has a shape that this program does not write. */
const project = async (deps: ProjectorDeps, projection: Projection, held: AbortSignal): Promise<void> => {
  for (let failures = 0; !held.aborted;) {
    try {
      const live = await liveVersion(deps.db, projection.view);
      if (live === undefined) throw new Error(`view ${projection.view} has no live version`);
      if (live.shape !== projection.shape) return;
      const ahead = await haltViewsAhead(deps.db, deps.feed, projection.view);
      if (ahead.length > 0) await waitForReplacement(deps, live, AHEAD_OF_LOG, held);
      else await followFeed(deps, projection, live, held, () => (failures = 0));
    } catch (error) {
      if (held.aborted) return;
      if (error instanceof PoisonEvent) await haltUntilReplaced(deps, projection, error, held);
      else if (!(error instanceof LostRace)) {
        failures += 1;
        const asked = error instanceof CollectorUnavailable ? error.retryAfterMs : 0;
        const wait = Math.max(asked, Math.min(100 * 2 ** failures, 5_000));
        deps.log.warn('projection will go on', {
          view: projection.view,
          error: (error as Error).message,
          wait,
        });
        await deps.sleep(wait, held);
      }
    }
  }
};

const followFeed = async (
  deps: ProjectorDeps,
  projection: Projection,
  version: Version,
  signal: AbortSignal,
  onProgress: () => void,
): Promise<void> => {
  const { view, filter, batchSize = DEFAULT_BATCH_SIZE } = projection;
  const { db, feed, moves, codec, progress } = deps;
  let at = await resumed(db, projection, version);
  try {
    progress?.moved(view, at);
    for await (const message of feed.follow(at, filter, { signal, batchSize })) {
      const events = message.kind === 'events' ? relevantEvents(codec, projection, message.events) : [];
      if (events.length > 0) {
        at = await applyWithRetries(deps, projection, version, at, { ...message, events });
        // Clear caches of the view before readers learn that it has moved.
        projection.onMoved?.();
        progress?.moved(view, at);
      } else if (message.position > at) {
        // No events in between match.
        await moves.move(version, at, message.position);
        at = message.position;
        progress?.moved(view, at);
      }
      onProgress();
    }
  } finally {
    progress?.left(view);
  }
};

/** Moves the checkpoint back where the projection asks for it. */
const resumed = async (db: Sql, { resumeFrom }: Projection, version: Version): Promise<Position> => {
  const { view, version: number, position } = version;
  const from = (await resumeFrom?.(schemaOf(view, number), position)) ?? position;
  if (from !== position) await moveCheckpoint(db, version, position, from);
  return from;
};

const applyWithRetries = async (
  deps: ProjectorDeps,
  projection: Projection,
  version: Version,
  at: Position,
  { events, position }: { readonly events: readonly RecordedEvent[]; readonly position: Position },
): Promise<Position> => {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    try {
      return await applyBatch(deps, projection, version, at, events, position);
    } catch (error) {
      if (isRetryable(error) || error instanceof PoisonEvent) throw error;
      deps.log.warn('a batch of events could not be applied', {
        view: projection.view,
        attempt,
        error: (error as Error).message,
      });
    }
  }
  return applyOneByOne(deps, projection, version, at, events);
};

const haltUntilReplaced = async (
  deps: ProjectorDeps,
  { view }: Projection,
  poison: PoisonEvent,
  signal: AbortSignal,
): Promise<void> => {
  const halted = await liveVersion(deps.db, view);
  if (halted === undefined) return;
  await recordHalt(deps.db, halted, poison.position, poison.message);
  await waitForReplacement(deps, halted, poison.message, signal);
};

const waitForReplacement = async (
  { db, log, sleep }: ProjectorDeps,
  { view, version, position }: Version,
  error: string,
  signal: AbortSignal,
): Promise<void> => {
  log.error('projection halted', { view, position, error });
  while (!signal.aborted) {
    await sleep(VERSION_POLL_MS, signal);
    if ((await liveVersion(db, view))?.version !== version) return;
  }
};
