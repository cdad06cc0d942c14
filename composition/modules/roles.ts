import { hostname } from 'node:os';
import { ContainerModule } from 'inversify';
import { productToken } from '../../adapters/crawler/robots-directives.ts';
import { runProjector } from '../../adapters/postgres/projections/projector.ts';
import { createNudge } from '../../adapters/system/nudge.ts';
import { every, sleep } from '../../adapters/system/timing.ts';
import { serialiseChunkSet } from '../../application/content/chunk-set.ts';
import { createCrawlJob } from '../../application/crawl/crawl-job.ts';
import { createPurge } from '../../application/crawl/purge.ts';
import { runScheduler } from '../../application/schedule/scheduler.ts';
import { runWorker } from '../../application/work/worker.ts';
import { TOKENS as T } from '../tokens.ts';

/** The parts that run beside HTTP. Any number of processes may run them: leases and checkpoints keep them apart. */
export const rolesModule = new ContainerModule(({ bind }) => {
  // The view of data sources has moved: a worker of this process need not wait for its next look.
  const news = createNudge();
  bind(T.Owner).toConstantValue(`${hostname()}:${process.pid}:${Date.now().toString(36)}`);
  bind(T.RunCrawl).toResolvedValue(
    (
      execute,
      store,
      codec,
      frontier,
      files,
      fetcher,
      robots,
      sitemaps,
      patterns,
      extractor,
      catalog,
      gate,
      clock,
      hash,
      log,
      config,
      recent,
    ) =>
      createCrawlJob({
        execute,
        store,
        codec,
        frontier,
        files,
        fetcher,
        robots,
        sitemaps,
        patterns,
        extractor,
        writeChunkSet: (chunkSet) => {
          const text = serialiseChunkSet(chunkSet);
          recent.remember(hash.sha256(text), chunkSet);
          return text;
        },
        catalog,
        gate,
        clock,
        hash,
        log,
        robotName: productToken(config.crawl.userAgent),
        fetches: config.crawl.concurrency,
      }),
    [
      T.Execute,
      T.EventStore,
      T.EventCodec,
      T.CrawlFrontier,
      T.FileAreas,
      T.PageFetcher,
      T.RobotsPolicies,
      T.SitemapReader,
      T.PatternCompiler,
      T.TextExtractor,
      T.PurgeCatalog,
      T.ReadGate,
      T.Clock,
      T.Hash,
      T.Logger,
      T.Config,
      T.RecentChunkSets,
    ],
  );
  bind(T.Purge).toResolvedValue(
    (execute, catalog, feed, gate, files, frontier, clock) =>
      createPurge({ execute, catalog, feed, gate, files, frontier, clock }),
    [T.Execute, T.PurgeCatalog, T.EventFeed, T.ReadGate, T.FileAreas, T.CrawlFrontier, T.Clock],
  );
  bind(T.Worker).toResolvedValue(
    (leases, store, codec, execute, clock, log, tracing, crawl, purge, owner, config) => ({
      name: 'worker',
      run: (signal) =>
        runWorker(
          {
            leases,
            store,
            codec,
            execute,
            clock,
            log,
            tracing,
            purge,
            owner,
            jobs: { crawl },
            slots: config.workerSlots,
            idle: news.wait,
            every: (ms, run) =>
              every(ms, run, (error) => log.warn('look-out failed', { error: (error as Error).message })),
          },
          signal,
        ),
    }),
    [
      T.WorkLeases,
      T.EventStore,
      T.EventCodec,
      T.Execute,
      T.Clock,
      T.Logger,
      T.Tracing,
      T.RunCrawl,
      T.Purge,
      T.Owner,
      T.Config,
    ],
  );
  bind(T.Scheduler).toResolvedValue(
    (schedules, scheduling, store, execute, clock, ids, log) => ({
      name: 'scheduler',
      run: (signal) =>
        runScheduler({ schedules, scheduling, store, execute, clock, ids, log, idle: sleep }, signal),
    }),
    [T.DueSchedules, T.Scheduling, T.EventStore, T.Execute, T.Clock, T.IdSource, T.Logger],
  );
  bind(T.Projectors).toResolvedValue(
    (projections, database, feed, codec, log, authenticate, upkeep) => ({
      name: 'projector',
      run: async (signal) => {
        const onMoved = (view: string): void => {
          if (view === 'api_key') authenticate.forget();
          if (view === 'data_source') news.nudge();
        };
        const deps = { db: database.db, feed, codec, log, sleep, onMoved, onIdle: upkeep };
        await Promise.all(projections.map((projection) => runProjector(deps, projection, signal)));
      },
    }),
    [T.Projections, T.Database, T.EventFeed, T.EventCodec, T.Logger, T.Authenticate, T.Upkeep],
  );
});
