import { hostname } from 'node:os';
import { ContainerModule } from 'inversify';
import { productToken } from '../../adapters/crawler/robots-directives.ts';
import { isPassing } from '../../adapters/postgres/passing.ts';
import { createNudge } from '../../adapters/system/nudge.ts';
import { every, sleep } from '../../adapters/system/timing.ts';
import { serialiseChunkSet } from '../../application/content/chunk-set.ts';
import { createCrawlJob } from '../../application/crawl/crawl-job.ts';
import { createPurge } from '../../application/crawl/purge.ts';
import { createExecute } from '../../application/execute.ts';
import { createIsPassing } from '../../application/work/passing.ts';
import { createRetryingEventStore } from '../../application/work/retrying-event-store.ts';
import { eraseRemoved } from '../../application/source/erase-removed.ts';
import { runWorker } from '../../application/work/worker.ts';
import { patienceFor } from '../patience.ts';
import { TOKENS as T } from '../tokens.ts';

/** As long as the store may be away: see `createRetryingEventStore`. */
const WORKER_LIMIT_MS = 15 * 60_000;

/** What a worker does: it holds leases, runs jobs, and waits for an event store that is away. */
export const workModule = new ContainerModule(({ bind }) => {
  bind(T.News).toConstantValue(createNudge());
  bind(T.RetryingStore).toResolvedValue(
    (store, log, signal) => createRetryingEventStore({ store, log, signal, sleep }),
    [T.EventStore, T.Logger, T.Stopping],
  );
  bind(T.RetryingExecute).toResolvedValue(
    (store, codec, ids, kept) =>
      createExecute({ store, codec, ids, kept, patience: patienceFor(WORKER_LIMIT_MS) }),
    [T.RetryingStore, T.EventCodec, T.IdSource, T.KeptStates],
  );
  bind(T.Owner).toConstantValue(`${hostname()}:${process.pid}:${Date.now().toString(36)}`);
  bind(T.RunCrawl).toResolvedValue(
    (
      execute,
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
      redaction,
    ) =>
      createCrawlJob({
        execute,
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
        redaction,
        robotName: productToken(config.crawl.userAgent),
        fetches: config.crawl.concurrency,
      }),
    [
      T.RetryingExecute,
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
      T.PoliciesInForce,
    ],
  );
  bind(T.Purge).toResolvedValue(
    (execute, catalog, vectors, feed, gate, files, frontier, schedules, withheld, clock) =>
      createPurge({ execute, catalog, vectors, feed, gate, files, frontier, schedules, withheld, clock }),
    [
      T.Execute,
      T.PurgeCatalog,
      T.VectorStore,
      T.EventFeed,
      T.ReadGate,
      T.FileAreas,
      T.CrawlFrontier,
      T.DueSchedules,
      T.Withheld,
      T.Clock,
    ],
  );
  bind(T.Eraser).toResolvedValue(
    (withheld, leases, catalog, frontier, files, gate, clock, log, owner, { leaseMs }) => ({
      name: 'worker',
      run: (signal) =>
        eraseRemoved(
          { withheld, leases, catalog, frontier, files, gate, clock, log, owner, leaseMs, sleep },
          signal,
        ),
    }),
    [
      T.Withheld,
      T.WorkLeases,
      T.PurgeCatalog,
      T.CrawlFrontier,
      T.FileAreas,
      T.ReadGate,
      T.Clock,
      T.Logger,
      T.Owner,
      T.Config,
    ],
  );
  bind(T.Worker).toResolvedValue(
    (
      leases,
      store,
      codec,
      execute,
      executeAtOnce,
      clock,
      log,
      tracing,
      crawl,
      purge,
      owner,
      config,
      news,
    ) => ({
      name: 'worker',
      run: (signal) =>
        runWorker(
          {
            leases,
            store,
            codec,
            execute,
            executeAtOnce,
            clock,
            log,
            tracing,
            purge,
            isPassing: createIsPassing(isPassing),
            owner,
            jobs: { crawl },
            slots: config.workerSlots,
            leaseMs: config.leaseMs,
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
      T.RetryingExecute,
      T.Execute,
      T.Clock,
      T.Logger,
      T.Tracing,
      T.RunCrawl,
      T.Purge,
      T.Owner,
      T.Config,
      T.News,
    ],
  );
});
