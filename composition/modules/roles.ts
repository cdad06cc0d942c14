import { ContainerModule } from 'inversify';
import { runMerging } from '../../adapters/postgres/projections/catalog/merging.ts';
import { createCheckpointMoves } from '../../adapters/postgres/projections/checkpoint-moves.ts';
import { feedOfViews } from '../../adapters/postgres/projections/feed-of-views.ts';
import { runProjector } from '../../adapters/postgres/projections/projector.ts';
import { createNudge } from '../../adapters/system/nudge.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { MARKED_VIEWS } from '../../application/ports/row-marks.ts';
import { runScheduler } from '../../application/schedule/scheduler.ts';
import { TOKENS as T } from '../tokens.ts';

/** The parts that run beside HTTP. Any number of processes may run them: leases and checkpoints keep them apart. */
export const rolesModule = new ContainerModule(({ bind }) => {
  bind(T.Scheduler).toResolvedValue(
    (schedules, scheduling, store, execute, clock, ids, log) => ({
      name: 'scheduler',
      run: (signal) =>
        runScheduler({ schedules, scheduling, store, execute, clock, ids, log, idle: sleep }, signal),
    }),
    [T.DueSchedules, T.Scheduling, T.EventStore, T.Execute, T.Clock, T.IdSource, T.Logger],
  );
  bind(T.Projectors).toResolvedValue(
    (
      projections,
      database,
      feed,
      codec,
      log,
      authenticate,
      catalog,
      leadership,
      news,
      catalogNews,
      redaction,
      progress,
      marks,
    ) => ({
      name: 'projector',
      run: async (signal) => {
        const segments = createNudge();
        const onMoved = (view: string): void => {
          if (view === catalog.view) {
            segments.nudge();
            catalogNews.nudge();
          }
          if (view === 'api_key') authenticate.forget();
          if (view === 'redaction_policy') redaction.forget();
          if (view === 'data_source') news.nudge();
          const marked = MARKED_VIEWS.find((name) => name === view);
          if (marked === undefined) return;
          marks.forgetKnown(marked).catch((error: Error) => {
            log.warn('marks that a view knows stay until it moves again', { view, error: error.message });
          });
        };
        const { db } = database;
        const shared = { feed: feedOfViews(feed, projections), moves: createCheckpointMoves(db), progress };
        const deps = { db, ...shared, codec, log, sleep, leadership, onMoved };
        const merging = { db, projection: catalog, log, sleep, idle: segments.wait };
        await Promise.all([
          ...projections.map((projection) => runProjector(deps, projection, signal)),
          runMerging(merging, signal),
        ]);
      },
    }),
    [
      T.Projections,
      T.Database,
      T.EventFeed,
      T.EventCodec,
      T.Logger,
      T.Authenticate,
      T.CatalogProjection,
      T.Leadership,
      T.News,
      T.CatalogNews,
      T.PoliciesInForce,
      T.ViewProgress,
      T.RowMarks,
    ],
  );
});
