import { hostname } from 'node:os';
import { join } from 'node:path';
import type { StopSignals } from '../../adapters/http/stop-signals.ts';
import { createOpenSearch } from '../../adapters/opensearch/connection.ts';
import { createLeadership } from '../../adapters/postgres/leadership.ts';
import { createReadGate, createViewProgress } from '../../adapters/postgres/projections/read-gate.ts';
import { createVault } from '../../adapters/postgres/vault/vault.ts';
import { createDataSourceView } from '../../adapters/postgres/views/data-source-view.ts';
import { createRowOverlay, createTombstones } from '../../adapters/postgres/read-your-writes/overlays.ts';
import { agentRunWork } from '../../adapters/postgres/work/agent-work.ts';
import { jobWork, purgeWork } from '../../adapters/postgres/work/data-source-work.ts';
import { createItemStore } from '../../adapters/postgres/work/item-store.ts';
import { createAnswerLeases, createUploadLeases } from '../../adapters/postgres/work/leases.ts';
import { createUnsweptFiles } from '../../adapters/postgres/work/unswept-files.ts';
import { createWorkLeases } from '../../adapters/postgres/work/work-leases.ts';
import { createFileAreas } from '../../adapters/storage/disk/file-areas.ts';
import { createS3FileAreas } from '../../adapters/storage/s3/file-areas.ts';
import { aesGcm } from '../../adapters/system/cipher.ts';
import { createIdSource, randomApiKeys, sha256, systemClock } from '../../adapters/system/identity.ts';
import { createWakeUp, every, sleep } from '../../adapters/system/timing.ts';
import { tracedEventStore } from '../../adapters/telemetry/traced-stores.ts';
import { createTracing } from '../../adapters/telemetry/tracing.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import {
  createExecute,
  type Execute,
  type RetryingExecute,
} from '../../application/event-sourcing/execute.ts';
import type { BackOffPolicy } from '../../application/event-sourcing/back-off.ts';
import { createStateCache } from '../../application/event-sourcing/state-cache.ts';
import {
  watchedEventFeed,
  watchedEventStore,
} from '../../application/event-sourcing/store-health/watched-event-log.ts';
import { createRetryingEventStore } from '../../application/jobs/transient.ts';
import type { ReadGate } from '../../application/ports/read-gate.ts';
import type { MasterKeys } from '../../application/ports/vault.ts';
import type { Config } from '../config/config.ts';
import type { Databases } from '../databases.ts';
import type { EventLog, StoreWatches } from '../event-log.ts';
import { type Given, provide, token } from '../wiring.ts';

/** What is already open before anything is wired. */
interface Opened {
  readonly config: Config;
  readonly databases: Databases;
  readonly events: EventLog;
  readonly watches: StoreWatches;
  /** Null when conversations and secrets can be neither stored nor read. */
  readonly masterKeys: MasterKeys | null;
  /** Stop signals of the server. */
  readonly stop: StopSignals;
  /** Aborts when work in progress must stop. */
  readonly stopping: AbortSignal;
}
export const OPENED = token<Opened>('opened');

/** How long a request waits for other writers of the same stream. Clients rarely wait longer than half a minute. */
const REQUEST_LIMIT_MS = 20_000;
/** As long as the store may be unavailable: see `createRetryingEventStore`. */
const WORKER_LIMIT_MS = 15 * 60_000;

/** Real time and randomness for commands that wait for other writers, at most `ms` milliseconds each. */
export const waitingAtMost = (ms: number): BackOffPolicy => ({
  sleep,
  random: Math.random,
  deadline: () => AbortSignal.timeout(ms),
});

/**
 * The services that every feature builds on: clock, ids, log and codec; and all storage: events, erasable texts, work
 * in progress, files, and the progress of the views.
 */
const openCore = ({ opened }: Given<{ opened: typeof OPENED }>) => {
  const { config, databases, events, watches, masterKeys, stop, stopping } = opened;
  const { log } = watches;
  const [clock, ids, codec] = [systemClock, createIdSource(), createEventCodec()];
  const { db, transact, newClient } = databases.views;
  const watched = watchedEventStore(events.store, watches.events, watches.appended);
  // Without a span collector, writes are not traced.
  const store = config.telemetry.traces ? tracedEventStore(watched, events.system) : watched;
  const retryingStore = createRetryingEventStore({ store, log, signal: stopping, sleep });
  const writing = { codec, ids, cache: createStateCache() };
  /** For requests, and for everything that must not wait for an unavailable store. */
  const execute: Execute = createExecute({ ...writing, store, backOff: waitingAtMost(REQUEST_LIMIT_MS) });
  /** For work that can wait until the event store is back. */
  const retryingExecute: RetryingExecute = createExecute({
    ...writing,
    store: retryingStore,
    backOff: waitingAtMost(WORKER_LIMIT_MS),
  });
  const files =
    config.files === undefined
      ? createFileAreas(join(config.dataDir, 'files'))
      : createS3FileAreas({ address: config.files, temporary: join(config.dataDir, 'tmp') });
  const progress = createViewProgress();
  const gate = createReadGate(db, progress);
  const cluster = config.openSearch && createOpenSearch(config.openSearch);
  return {
    config,
    clock,
    ids,
    codec,
    log,
    stop,
    stopping,
    hash: sha256,
    secrets: randomApiKeys,
    tracing: createTracing(),
    /** Repeats work periodically; logs a failure as `failed`. */
    everyLogged:
      (failed: string) =>
      (ms: number, run: () => Promise<void>): ReturnType<typeof every> =>
        every(ms, run, (error) => log.warn(failed, { error: (error as Error).message })),
    /** Identifies this process among the owners of leases. */
    owner: `${hostname()}:${process.pid}:${Date.now().toString(36)}`,
    /** Wake-ups on changes, so that readers in this process need not wait for the next poll. */
    wakeUps: {
      /** Changes of the view of data sources. */
      jobs: createWakeUp(),
      /** Changes of the view of agent runs. */
      runs: createWakeUp(),
      /** Changes of the catalog: there may be contents to embed. */
      embedding: createWakeUp(),
      /** Changes of the catalog: there may be index segments to merge. */
      merging: createWakeUp(),
      /** The log has grown, or a delivery has ended: there may be something to deliver. */
      webhooks: createWakeUp(),
    },
    databases,
    db,
    transact,
    /** The log without the watch, for code that must see a changed log. */
    eventLog: events,
    watches,
    store,
    feed: watchedEventFeed(events.feed, watches.events),
    execute,
    retryingExecute,
    files,
    // Every commit reaches the disk at once: an event must never refer to a text that was lost.
    vault: createVault({
      db: databases.events.db,
      cipher: aesGcm,
      masterKey: masterKeys?.current ?? null,
      previous: masterKeys?.previous ?? [],
    }),
    leadership: createLeadership(newClient, log),
    progress,
    gate: cluster === undefined ? gate : withSearch(gate),
    /** Without the view of another search engine, which waits for these. */
    viewGate: gate,
    /** The search engine outside of the database; undefined for none. */
    cluster,
    /** Reports rows before their views show them. */
    overlay: createRowOverlay(db),
    tombstones: createTombstones(db),
    unswept: createUnsweptFiles(db),
    /** Leases on work at data sources, and on agent runs. */
    jobLeases: createWorkLeases(db, clock, [jobWork]),
    purgeLeases: createWorkLeases(db, clock, [purgeWork]),
    // Every commit reaches the disk at once.
    answerLeases: createAnswerLeases(databases.events.db),
    runLeases: createWorkLeases(db, clock, [agentRunWork]),
    dataSources: createDataSourceView(db),
    itemStore: createItemStore(databases.views),
    uploads: createUploadLeases(db),
    close: async () => {
      await Promise.all([cluster?.close(), files.close(), events.close().then(databases.close)]);
    },
  };
};

/** What is in the catalog is searchable: whoever waits for the one waits for the other. */
const withSearch = ({ reached }: ReadGate): ReadGate => ({
  reached: (views, ...rest) => reached(views.includes('catalog') ? [...views, 'search'] : views, ...rest),
});

export const CORE = token<ReturnType<typeof openCore>>('core');
export const coreModule = provide(CORE, { opened: OPENED }, openCore);
