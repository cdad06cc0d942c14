import { ContainerModule } from 'inversify';
import { runMerging } from '../../adapters/postgres/projections/catalog/merging.ts';
import { createCheckpointMoves } from '../../adapters/postgres/projections/checkpoint-moves.ts';
import { feedOfViews } from '../../adapters/postgres/projections/feed-of-views.ts';
import { runProjector } from '../../adapters/postgres/projections/projector.ts';
import { createNudge } from '../../adapters/system/nudge.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { MARKED_VIEWS } from '../../application/ports/row-marks.ts';
import { runScheduler } from '../../application/schedule/scheduler.ts';
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
    ({ projections, db, feed, codec, log, leadership, progress, catalog, ...toTell }) => ({
      name: 'projector',
      run: async (signal) => {
        const segments = createNudge();
        const onMoved = (view: string): void => {
          if (view === catalog.view) {
            segments.nudge();
            toTell.catalogNews.nudge();
          }
          if (view === 'api_key') toTell.authenticate.forget();
          if (view === 'redaction_policy') toTell.redaction.forget();
          if (view === 'data_source') toTell.news.nudge();
          const marked = MARKED_VIEWS.find((name) => name === view);
          if (marked === undefined) return;
          toTell.marks.forgetKnown(marked).catch((error: Error) => {
            log.warn('marks that a view knows stay until it moves again', { view, error: error.message });
          });
        };
        const shared = { feed: feedOfViews(feed, projections), moves: createCheckpointMoves(db), progress };
        const deps = { db, ...shared, codec, log, sleep, leadership, onMoved };
        const merging = { db, projection: catalog, log, sleep, idle: segments.wait };
        await Promise.all([
          ...projections.map((projection) => runProjector(deps, projection, signal)),
          runMerging(merging, signal),
        ]);
      },
    }),
    {
      projections: T.Projections,
      db: T.Db,
      feed: T.EventFeed,
      codec: T.EventCodec,
      log: T.Logger,
      leadership: T.Leadership,
      progress: T.ViewProgress,
      catalog: T.CatalogProjection,
      authenticate: T.Authenticate,
      news: T.News,
      catalogNews: T.CatalogNews,
      redaction: T.PoliciesInForce,
      marks: T.RowMarks,
    },
  );
});
