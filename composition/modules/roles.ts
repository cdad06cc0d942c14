import { createSearchEngineIndexes } from '../../adapters/opensearch/indexes.ts';
import { createSearchProjection } from '../../adapters/postgres/outside-search/projection.ts';
import { runSearchProjector } from '../../adapters/postgres/outside-search/run-projector.ts';
import { createProjections } from '../../adapters/postgres/projections/all-projections.ts';
import { createCatalogProjection } from '../../adapters/postgres/projections/catalog/catalog-projection.ts';
import { runSegmentMerging } from '../../adapters/postgres/projections/catalog/merge-index-segments.ts';
import { createCheckpointMoves } from '../../adapters/postgres/projections/checkpoint-moves.ts';
import { feedOfViews } from '../../adapters/postgres/projections/rebuild.ts';
import { runProjector } from '../../adapters/postgres/projections/projector.ts';
import { isTransient } from '../../adapters/postgres/connection.ts';
import {
  createDeletions,
  createDueSchedules,
  createLostJobs,
} from '../../adapters/postgres/work/data-source-work.ts';
import { packChunkSet, unpackChunkSet } from '../../adapters/storage/chunk-sets.ts';
import { sleep } from '../../adapters/system/timing.ts';
import { tracedProjection } from '../../adapters/telemetry/traced-projection.ts';
import { signCheckpoints } from '../../application/audit/sign-checkpoints.ts';
import { witnessCheckpoints } from '../../application/audit/witness-checkpoints.ts';
import { runVaultSweeps } from '../../application/agents/sweep-vault.ts';
import { createIsTransient } from '../../application/jobs/transient.ts';
import { runWorker } from '../../application/jobs/worker.ts';
import { embedPending } from '../../application/search/embedding/embed-pending.ts';
import { cachingChunkSetWriter } from '../../application/sources/content/recent-chunk-sets.ts';
import { eraseRemoved } from '../../application/sources/documents/erase-removed.ts';
import { createIngest } from '../../application/sources/ingestion/ingest.ts';
import { createJobHandler } from '../../application/sources/ingestion/job-handler.ts';
import { createPurge, createPurgeHandler } from '../../application/sources/ingestion/purge-handler.ts';
import { runScheduler } from '../../application/sources/schedules/scheduler.ts';
import { runUploadSweeps } from '../../application/sources/uploads/sweep-uploads.ts';
import { type Given, provide, token } from '../wiring.ts';
import { ACCESS } from './access.ts';
import { AUDIT } from './audit.ts';
import { AGENTS } from './agents.ts';
import { CONNECTORS } from './connectors.ts';
import { CORE } from './core.ts';
import { CRAWLER } from './crawler.ts';
import { CATALOG, REDACTION } from './redaction.ts';
import { SEARCH } from './search.ts';
import { SCHEDULES } from './sources.ts';
import { WEBHOOKS } from './webhooks.ts';

const VIEWS_NEEDS = { core: CORE, redaction: REDACTION, catalog: CATALOG, access: ACCESS };

/** The read models, and their projector. */
const openViews = ({ core, redaction, catalog, access }: Given<typeof VIEWS_NEEDS>) => {
  const { wakeUps } = core;
  const { cluster, config } = core;
  const catalogProjection = createCatalogProjection({
    lexical: cluster === undefined,
    readChunkSet: async (dataSourceId: string, sha256: string) => {
      const known = catalog.recentChunkSets.get(sha256);
      if (known !== undefined) return known;
      const bytes = await (await core.files.area(dataSourceId)).read(sha256);
      return bytes === null ? null : unpackChunkSet(bytes);
    },
  });
  const projections = createProjections(catalogProjection, {
    overlay: core.overlay,
    log: core.log,
    clearKeyCache: access.operations.authenticate.clearCache,
    clearPolicyCache: redaction.policies.clearCache,
    wakeWorkers: wakeUps.jobs.wake,
    wakeRunWorkers: wakeUps.runs.wake,
    wakeEmbedding: wakeUps.embedding.wake,
    wakeMerging: wakeUps.merging.wake,
    wakeWebhooks: wakeUps.webhooks.wake,
  }).map(tracedProjection);
  const indexes = cluster && createSearchEngineIndexes(cluster, config.openSearch!);
  const search = indexes && tracedProjection(createSearchProjection({ indexes, gate: core.viewGate }));
  return {
    /** Without the view of another search engine. */
    projections,
    /** The view of another search engine; undefined for none. */
    search,
    /** The role `projector`: runs until `signal` aborts. */
    run: async (signal: AbortSignal): Promise<void> => {
      const deps = { ...core, sleep };
      const shared = {
        feed: feedOfViews(core.feed, projections),
        moves: createCheckpointMoves(core.db),
      };
      const projecting = { ...deps, ...shared };
      await Promise.all([
        ...projections.map((projection) => runProjector(projecting, projection, signal)),
        search === undefined || indexes === undefined
          ? runSegmentMerging(
              { ...deps, projection: catalogProjection, waitForWork: wakeUps.merging.wait },
              signal,
            )
          : runSearchProjector({ ...projecting, feed: core.feed, indexes }, search, signal),
      ]);
    },
  };
};

export const VIEWS = token<ReturnType<typeof openViews>>('views');
export const viewsModule = provide(VIEWS, VIEWS_NEEDS, openViews);

const WORKER_NEEDS = {
  core: CORE,
  redaction: REDACTION,
  catalog: CATALOG,
  crawler: CRAWLER,
  connectors: CONNECTORS,
  search: SEARCH,
  agents: AGENTS,
  webhooks: WEBHOOKS,
};

/** Maximum number of concurrent deletions of data sources in a process. */
const DELETION_SLOTS = 2;

/**
 * The role `worker`: jobs, deletions, agent runs, embedding and webhooks, because workers are what reaches out to other services.
 */
const openWorker = ({
  core,
  redaction,
  catalog,
  crawler,
  connectors: { connectors },
  search,
  agents,
  webhooks,
}: Given<typeof WORKER_NEEDS>) => {
  const { config, wakeUps } = core;
  const { leaseMs } = config;
  const common = { ...core, connectors, catalog: catalog.purge, leaseMs, sleep };
  const purge = createPurge({
    ...common,
    vectors: search.vectors,
    schedules: createDueSchedules(core.db),
  });
  const waiting = { ...common, execute: core.retryingExecute };
  const ingest = createIngest({
    ...waiting,
    extractor: crawler.reader,
    redaction: redaction.policies,
    writeChunkSet: cachingChunkSetWriter(catalog.recentChunkSets, core.hash, packChunkSet),
  });
  const handling = {
    ...waiting,
    executeAtOnce: core.execute,
    isTransient: createIsTransient(isTransient),
  };
  const jobs = createJobHandler({ ...handling, lostJobs: createLostJobs(core.db), ingest });
  const purges = createPurgeHandler({ ...handling, deletions: createDeletions(core.db), purge });
  const working = {
    ...common,
    every: core.everyLogged('look-out failed'),
  };
  // Each kind of work has its own slots: jobs take hours, agent runs wait for models, and a deletion waits for neither.
  const atJobs = {
    ...working,
    leases: core.jobLeases,
    handlers: [jobs],
    slots: config.workerSlots,
    reserved: 1,
    idle: wakeUps.jobs.wait,
  };
  const atDeletions = {
    ...working,
    leases: core.purgeLeases,
    handlers: [purges],
    slots: DELETION_SLOTS,
    reserved: DELETION_SLOTS,
    idle: wakeUps.jobs.wait,
  };
  const atRuns = {
    ...working,
    leases: core.runLeases,
    handlers: [agents.runHandler],
    slots: config.agentSlots,
    reserved: config.agentSlots,
    idle: wakeUps.runs.wait,
  };
  const embed = async (signal: AbortSignal): Promise<void> => {
    const { embedders, vectors } = search;
    if (embedders === null) return;
    const embedding = {
      ...common,
      store: vectors,
      embedder: embedders.current,
      idle: wakeUps.embedding.wait,
    };
    while (!signal.aborted)
      await core.leadership.lead('embedding', signal, (held) => embedPending(embedding, held));
  };
  return {
    /** Runs until `signal` aborts. */
    run: async (signal: AbortSignal): Promise<void> => {
      await Promise.all([
        runWorker(atJobs, signal),
        runWorker(atDeletions, signal),
        runWorker(atRuns, signal),
        embed(signal),
        webhooks.run(signal),
        eraseRemoved({ ...common, leases: core.jobLeases }, signal),
      ]);
    },
  };
};

export const WORKER = token<ReturnType<typeof openWorker>>('worker');
export const workerModule = provide(WORKER, WORKER_NEEDS, openWorker);

const SCHEDULER_NEEDS = { core: CORE, schedules: SCHEDULES, audit: AUDIT };

/** The role `scheduler`: due jobs, checkpoints, and cleanup of what crashes leave behind. */
const openScheduler = ({ core, schedules, audit }: Given<typeof SCHEDULER_NEEDS>) => ({
  /** Runs until `signal` aborts. */
  run: async (signal: AbortSignal): Promise<void> => {
    const common = { ...core, scheduling: schedules.scheduling, idle: sleep };
    const { everyMs } = core.config.checkpoints;
    const signing = {
      ...common,
      ...audit.proving,
      ...audit,
      everyMs,
      witness: (held: AbortSignal) => witnessCheckpoints({ ...common, ...audit.proving }, held),
    };
    const sign = async (): Promise<void> => {
      while (!signal.aborted)
        await core.leadership.lead('checkpoints', signal, (held) => signCheckpoints(signing, held));
    };
    await Promise.all([
      runScheduler({ ...common, schedules: createDueSchedules(core.db) }, signal),
      sign(),
      runVaultSweeps(common, signal),
      runUploadSweeps(common, signal),
    ]);
  },
});

export const SCHEDULER = token<ReturnType<typeof openScheduler>>('scheduler');
export const schedulerModule = provide(SCHEDULER, SCHEDULER_NEEDS, openScheduler);
