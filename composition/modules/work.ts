import { hostname } from 'node:os';
import { ContainerModule } from 'inversify';
import { isTransient } from '../../adapters/postgres/transient.ts';
import { createWakeUp } from '../../adapters/system/wake-up.ts';
import { every, sleep } from '../../adapters/system/timing.ts';
import { rememberedWriting } from '../../application/sources/content/recent-chunk-sets.ts';
import { createIngest } from '../../application/sources/ingestion/ingest.ts';
import { createPurge } from '../../application/sources/ingestion/purge.ts';
import { createExecute } from '../../application/event-sourcing/execute.ts';
import { createJobHandler } from '../../application/sources/ingestion/job-handler.ts';
import { createPurgeHandler } from '../../application/sources/ingestion/purge-handler.ts';
import { createIsTransient } from '../../application/jobs/transient.ts';
import { createRetryingEventStore } from '../../application/jobs/retrying-event-store.ts';
import { eraseRemoved } from '../../application/sources/documents/erase-removed.ts';
import { runWorker, type WorkerDeps } from '../../application/jobs/worker.ts';
import type { Config } from '../config.ts';
import { backOffFor } from '../back-off.ts';
import { role } from '../roles.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** As long as the store may be away: see `createRetryingEventStore`. */
const WORKER_LIMIT_MS = 15 * 60_000;

/** What a worker does: it holds leases, runs jobs, and waits for an event store that is away. */
export const workModule = ({
  workerSlots,
  agentSlots,
  leaseMs,
}: Pick<Config, 'workerSlots' | 'agentSlots' | 'leaseMs'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    bind(T.WorkWakeUp).toConstantValue(createWakeUp());
    bind(T.RunWakeUp).toConstantValue(createWakeUp());
    provide(
      T.RetryingStore,
      createRetryingEventStore,
      { store: T.EventStore, log: T.Logger, signal: T.Stopping },
      { sleep },
    );
    provide(
      T.RetryingExecute,
      createExecute,
      { store: T.RetryingStore, codec: T.EventCodec, ids: T.IdSource, cache: T.StateCache },
      { backOff: backOffFor(WORKER_LIMIT_MS) },
    );
    bind(T.Owner).toConstantValue(`${hostname()}:${process.pid}:${Date.now().toString(36)}`);
    provide(
      T.Ingest,
      ({ recent, ...deps }) =>
        createIngest({
          ...deps,
          writeChunkSet: rememberedWriting(recent, deps.hash),
        }),
      {
        connectors: T.Connectors,
        execute: T.RetryingExecute,
        files: T.FileAreas,
        extractor: T.DocumentReader,
        catalog: T.PurgeCatalog,
        gate: T.ReadGate,
        clock: T.Clock,
        hash: T.Hash,
        recent: T.RecentChunkSets,
        redaction: T.PoliciesInForce,
      },
    );
    provide(T.Purge, createPurge, {
      execute: T.Execute,
      catalog: T.PurgeCatalog,
      vectors: T.VectorStore,
      feed: T.EventFeed,
      gate: T.ReadGate,
      files: T.FileAreas,
      connectors: T.Connectors,
      schedules: T.DueSchedules,
      withheld: T.Withheld,
      clock: T.Clock,
    });
    provide(
      T.Eraser,
      role('worker', eraseRemoved),
      {
        withheld: T.Withheld,
        leases: T.WorkLeases,
        catalog: T.PurgeCatalog,
        connectors: T.Connectors,
        files: T.FileAreas,
        gate: T.ReadGate,
        feed: T.EventFeed,
        clock: T.Clock,
        log: T.Logger,
        owner: T.Owner,
      },
      { leaseMs, sleep },
    );
    const shared = {
      executeAtOnce: T.Execute,
      clock: T.Clock,
      log: T.Logger,
      tracing: T.Tracing,
      owner: T.Owner,
    };
    const judging = { isTransient: createIsTransient(isTransient) };
    provide(
      T.IngestionJobs,
      createJobHandler,
      { ...shared, execute: T.RetryingExecute, ingest: T.Ingest, ledger: T.UnitLedger },
      judging,
    );
    provide(
      T.IngestionPurges,
      createPurgeHandler,
      { ...shared, deletions: T.Deletions, purge: T.Purge },
      judging,
    );
    provide(
      T.Worker,
      ({ leases, runLeases, jobs, purges, runs, wakeUp, runWakeUp, ...deps }) => {
        const failed = (error: unknown): void =>
          deps.log.warn('look-out failed', { error: (error as Error).message });
        const common: typeof deps & Pick<WorkerDeps, 'every' | 'leaseMs'> = {
          ...deps,
          leaseMs,
          every: (ms, run) => every(ms, run, failed),
        };
        // Runs of agents wait for models most of the time, and jobs work: neither is to take the slots of the other.
        const atSources = { leases, handlers: [jobs, purges], slots: workerSlots, idle: wakeUp.wait };
        const atRuns = { leases: runLeases, handlers: [runs], slots: agentSlots, idle: runWakeUp.wait };
        return {
          name: 'worker',
          run: async (signal) => {
            const both = [atSources, atRuns].map((own) => runWorker({ ...common, ...own }, signal));
            await Promise.all(both);
          },
        };
      },
      {
        leases: T.WorkLeases,
        runLeases: T.RunLeases,
        jobs: T.IngestionJobs,
        purges: T.IngestionPurges,
        runs: T.AgentRuns,
        store: T.EventStore,
        codec: T.EventCodec,
        clock: T.Clock,
        log: T.Logger,
        owner: T.Owner,
        wakeUp: T.WorkWakeUp,
        runWakeUp: T.RunWakeUp,
      },
    );
  });
