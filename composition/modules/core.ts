import { hostname } from 'node:os';
import { join } from 'node:path';
import type { StopSignals } from '../../adapters/http/stop-signals.ts';
import { createLeadership } from '../../adapters/postgres/projections/leadership.ts';
import { createReadGate, createViewProgress } from '../../adapters/postgres/projections/read-gate.ts';
import { createVault } from '../../adapters/postgres/vault/vault.ts';
import { createDataSourceView } from '../../adapters/postgres/views/data-source-view.ts';
import { createRowOverlay, createTombstones } from '../../adapters/postgres/read-your-writes/overlays.ts';
import { agentRunWork } from '../../adapters/postgres/work/agent-work.ts';
import { jobWork, purgeWork } from '../../adapters/postgres/work/data-source-work.ts';
import { createItemStore } from '../../adapters/postgres/work/item-store.ts';
import { createAnswerLeases, createUploadLeases } from '../../adapters/postgres/work/leases.ts';
import { createWorkLeases } from '../../adapters/postgres/work/work-leases.ts';
import { createFileAreas } from '../../adapters/storage/disk/file-areas.ts';
import { createS3FileAreas } from '../../adapters/storage/s3/file-areas.ts';
import { aesGcm } from '../../adapters/system/cipher.ts';
import { createIdSource, randomSecrets, sha256, systemClock } from '../../adapters/system/identity.ts';
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
import type { MasterKeys } from '../../application/ports/vault.ts';
import type { Config } from '../config/config.ts';
import type { Databases } from '../databases.ts';
import type { EventLog, StoreWatches } from '../event-log.ts';
import { type Given, provide, token } from '../wiring.ts';

/** What is known and open before anything is wired. */
interface Opened {
  readonly config: Config;
  readonly databases: Databases;
  readonly events: EventLog;
  readonly watches: StoreWatches;
  /** Null: conversations and secrets are neither kept nor read. */
  readonly masterKeys: MasterKeys | null;
  /** Of the server. */
  readonly stop: StopSignals;
  /** Work under way is to be put down. */
  readonly stopping: AbortSignal;
}
export const OPENED = token<Opened>('opened');

/** How long a request waits for others who write to the same stream. A client rarely waits for longer than half a minute. */
const REQUEST_LIMIT_MS = 20_000;
/** As long as the store may be away: see `createRetryingEventStore`. */
const WORKER_LIMIT_MS = 15 * 60_000;

/** Real time and chance for commands that wait for others, each for so many milliseconds at most. */
export const waitingAtMost = (ms: number): BackOffPolicy => ({
  sleep,
  random: Math.random,
  deadline: () => AbortSignal.timeout(ms),
});

/**
 * What every feature is made of: time, ids, log and codec; and everything that is kept: events, texts that can be
 * erased, work under way, files, and how far the views have come.
 */
const openCore = ({ opened }: Given<{ opened: typeof OPENED }>) => {
  const { config, databases, events, watches, masterKeys, stop, stopping } = opened;
  const { log } = watches;
  const [clock, ids, codec] = [systemClock, createIdSource(), createEventCodec()];
  const { db, transact, newClient } = databases.views;
  const watched = watchedEventStore(events.store, watches.events, watches.appended);
  // Where nobody collects spans, none are made of each write.
  const store = config.telemetry.traces ? tracedEventStore(watched, events.system) : watched;
  const retryingStore = createRetryingEventStore({ store, log, signal: stopping, sleep });
  const writing = { codec, ids, cache: createStateCache() };
  /** For requests, and for whatever must not wait for a store that is away. */
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
  return {
    config,
    clock,
    ids,
    codec,
    log,
    stop,
    stopping,
    hash: sha256,
    secrets: randomSecrets,
    tracing: createTracing(),
    /** Has work done again and again; what fails of it is logged as `failed`. */
    everyLogged:
      (failed: string) =>
      (ms: number, run: () => Promise<void>): ReturnType<typeof every> =>
        every(ms, run, (error) => log.warn(failed, { error: (error as Error).message })),
    /** Of this process among the owners of leases. */
    owner: `${hostname()}:${process.pid}:${Date.now().toString(36)}`,
    /** What has moved, so that its reader in this process need not wait for the next look. */
    wakeUps: {
      /** The view of data sources. */
      jobs: createWakeUp(),
      /** The view of runs of agents. */
      runs: createWakeUp(),
      /** The catalog: there may be something to embed. */
      embedding: createWakeUp(),
      /** The catalog: there may be segments of its index to merge. */
      merging: createWakeUp(),
    },
    databases,
    db,
    transact,
    /** As it is, past the watch: for what must see a log that has changed. */
    eventLog: events,
    watches,
    store,
    feed: watchedEventFeed(events.feed, watches.events),
    execute,
    retryingExecute,
    files,
    // Where every commit is on disk at once: a text must not be lost behind the event that speaks of it.
    vault: createVault({
      db: databases.events.db,
      cipher: aesGcm,
      masterKey: masterKeys?.current ?? null,
      previous: masterKeys?.previous ?? [],
    }),
    leadership: createLeadership(newClient, log),
    progress,
    gate: createReadGate(db, progress),
    /** What is told of rows before their views show it. */
    overlay: createRowOverlay(db),
    tombstones: createTombstones(db),
    /** On work at data sources, and on runs of agents. */
    jobLeases: createWorkLeases(db, clock, [jobWork]),
    purgeLeases: createWorkLeases(db, clock, [purgeWork]),
    // Where every commit is on disk at once.
    answerLeases: createAnswerLeases(databases.events.db),
    runLeases: createWorkLeases(db, clock, [agentRunWork]),
    dataSources: createDataSourceView(db),
    itemStore: createItemStore(databases.views),
    uploads: createUploadLeases(db),
    close: async () => {
      await Promise.all([files.close(), events.close().then(databases.close)]);
    },
  };
};

export const CORE = token<ReturnType<typeof openCore>>('core');
export const coreModule = provide(CORE, { opened: OPENED }, openCore);
