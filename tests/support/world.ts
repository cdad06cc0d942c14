import { createPostgresEventFeed } from '../../adapters/postgres/event-feed.ts';
import { createPostgresEventStore } from '../../adapters/postgres/event-store.ts';
import { eventStoreMigrations } from '../../adapters/postgres/events/migrations.ts';
import { createWakeUp } from '../../adapters/postgres/events/wake-up.ts';
import { createCheckpointMoves } from '../../adapters/postgres/projections/checkpoint-moves.ts';
import { projectionMigrations } from '../../adapters/postgres/projections/versions.ts';
import { feedOfViews, prepareViews } from '../../adapters/postgres/projections/rebuild.ts';
import { createLeadership } from '../../adapters/postgres/leadership.ts';
import type { Projection } from '../../adapters/postgres/projections/projection.ts';
import { type ProjectorDeps, runProjector } from '../../adapters/postgres/projections/projector.ts';
import { createReadGate, createViewProgress } from '../../adapters/postgres/projections/read-gate.ts';
import { vaultMigrations } from '../../adapters/postgres/vault/vault.ts';
import { workMigrations } from '../../adapters/postgres/work/migrations.ts';
import { createIdSource } from '../../adapters/system/identity.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../application/event-sourcing/execute.ts';
import type { Logger } from '../../application/ports/logger.ts';
import { freshDatabase } from './postgres.ts';
import { silent } from './silent.ts';

export { silent };

/** Events, views and work on a database of its own. `close` stops every projector that was started. */
export const openWorld = async (projections: readonly Projection[]) => {
  const database = await freshDatabase([
    ...eventStoreMigrations,
    ...projectionMigrations,
    ...workMigrations,
    ...vaultMigrations,
  ]);
  const { pool, transact } = database;
  const db = database.db;
  const wakeUp = createWakeUp(database);
  const store = createPostgresEventStore({ pool, wakeUp });
  const feed = feedOfViews(createPostgresEventFeed({ pool, wakeUp }), projections);
  const [moves, progress] = [createCheckpointMoves(db), createViewProgress()];
  const codec = createEventCodec();
  const ids = createIdSource();
  const leadership = createLeadership(database.newClient, silent);
  const deps = {
    db,
    transact,
    feed,
    moves,
    progress,
    codec,
    log: silent,
    sleep,
    leadership,
  } satisfies ProjectorDeps;
  const stop = new AbortController();
  const running: Promise<void>[] = [];
  await prepareViews(deps, projections, stop.signal, () => {});
  return {
    db,
    transact,
    pool,
    store,
    feed,
    codec,
    ids,
    deps,
    execute: createExecute({ store, codec, ids }),
    gate: createReadGate(db, progress),
    project: (projection: Projection, log: Logger = silent, other: Partial<ProjectorDeps> = {}) => {
      running.push(runProjector({ ...deps, ...other, log }, projection, stop.signal));
    },
    close: async () => {
      stop.abort();
      await Promise.all(running);
      await wakeUp.close();
      await database.close();
    },
  };
};
export type World = Awaited<ReturnType<typeof openWorld>>;
