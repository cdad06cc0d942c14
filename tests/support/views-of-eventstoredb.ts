import { createCheckpointMoves } from '../../adapters/postgres/projections/checkpoint-moves.ts';
import { feedOfViews, prepareViews } from '../../adapters/postgres/projections/rebuild.ts';
import { createLeadership } from '../../adapters/postgres/leadership.ts';
import { projectionMigrations } from '../../adapters/postgres/projections/versions.ts';
import { createReadGate, createViewProgress } from '../../adapters/postgres/projections/read-gate.ts';
import type { Projection } from '../../adapters/postgres/projections/projection.ts';
import { runProjector } from '../../adapters/postgres/projections/projector.ts';
import { workMigrations } from '../../adapters/postgres/work/migrations.ts';
import { createIdSource } from '../../adapters/system/identity.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../application/event-sourcing/execute.ts';
import type { Logger } from '../../application/ports/logger.ts';
import { openStandIn, PATIENT } from '../adapters/eventstoredb/open-store.ts';
import { freshDatabase } from './postgres.ts';
import { silent } from './world.ts';

/**
 * Views in Postgres, kept up to date, of events in what stands in for EventStoreDB. Nobody polls: what is asked is counted.
 *
 * @param running false: they are not kept up to date before `run`
 */
export const openViewsOfEventStoreDb = async (
  projections: readonly Projection[],
  running = true,
  log: Logger = silent,
) => {
  const events = await openStandIn({}, PATIENT);
  const database = await freshDatabase([...projectionMigrations, ...workMigrations]);
  const db = database.db;
  const [codec, ids, stop] = [createEventCodec(), createIdSource(), new AbortController()];
  const [moves, progress] = [createCheckpointMoves(db), createViewProgress()];
  const leadership = createLeadership(database.newClient, silent);
  const { store } = events;
  const feed = feedOfViews(events.feed, projections);
  const deps = {
    db,
    transact: database.transact,
    feed,
    moves,
    progress,
    codec,
    log,
    sleep,
    leadership,
  };
  await prepareViews(deps, projections, stop.signal, () => {});
  let projecting: Promise<unknown> = Promise.resolve();
  const run = (): void => {
    projecting = Promise.all(projections.map((projection) => runProjector(deps, projection, stop.signal)));
  };
  if (running) run();
  return {
    store,
    standIn: events.standIn,
    deps,
    run,
    execute: createExecute({ store, codec, ids }),
    gate: createReadGate(db, progress),
    counts: () => ({ ...events.standIn.calls }),
    close: async () => {
      stop.abort();
      await projecting;
      await database.close();
      await events.close();
    },
  };
};
