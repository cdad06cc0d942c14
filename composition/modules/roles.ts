import { ContainerModule } from 'inversify';
import { runMerging } from '../../adapters/postgres/projections/catalog/merging.ts';
import { createCheckpointMoves } from '../../adapters/postgres/projections/checkpoint-moves.ts';
import { feedOfViews } from '../../adapters/postgres/projections/feed-of-views.ts';
import { runProjector } from '../../adapters/postgres/projections/projector.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { runScheduler } from '../../application/sources/schedules/scheduler.ts';
import { role } from '../roles.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** The parts that run beside HTTP. Any number of processes may run them: leases and checkpoints keep them apart. */
export const rolesModule = new ContainerModule(({ bind }) => {
  const provide = providing(bind);
  provide(
    T.Scheduler,
    role('scheduler', runScheduler),
    {
      schedules: T.DueSchedules,
      scheduling: T.Scheduling,
      store: T.EventStore,
      execute: T.Execute,
      clock: T.Clock,
      ids: T.IdSource,
      log: T.Logger,
    },
    { idle: sleep },
  );
  provide(
    T.Projectors,
    ({ projections, feed, catalog, wakeUp, ...deps }) => ({
      name: 'projector',
      run: async (signal) => {
        const shared = { feed: feedOfViews(feed, projections), moves: createCheckpointMoves(deps.db) };
        await Promise.all([
          ...projections.map((projection) => runProjector({ ...deps, ...shared }, projection, signal)),
          runMerging({ ...deps, projection: catalog, idle: wakeUp.wait }, signal),
        ]);
      },
    }),
    {
      projections: T.Projections,
      db: T.Db,
      transact: T.Transact,
      feed: T.EventFeed,
      codec: T.EventCodec,
      log: T.Logger,
      leadership: T.Leadership,
      progress: T.ViewProgress,
      catalog: T.CatalogProjection,
      wakeUp: T.SegmentWakeUp,
    },
    { sleep },
  );
});
