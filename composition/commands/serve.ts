import type { Container } from 'inversify';
import { type RunningServer, startServer } from '../../adapters/http/server.ts';
import { dataSourcesByStatus, viewHealth } from '../../adapters/postgres/projections/health.ts';
import { registerMetrics } from '../../adapters/telemetry/metrics.ts';
import { banner, healthBanner } from '../banner.ts';
import { ensureKey, FIRST_TENANT, type FirstKey } from '../bootstrap.ts';
import type { Config } from '../config.ts';
import { checkLanguageModel } from '../language-model.ts';
import { addressError, checkAddress } from '../listening.ts';
import { createLog } from '../log.ts';
import { openContainer } from '../container.ts';
import { openMasterKey } from '../master-key.ts';
import { prepare } from '../prepare.ts';
import { type Databases, openDatabases } from '../startup.ts';
import { stopSignal } from '../stop-signal.ts';
import { startTelemetry } from '../telemetry.ts';
import { TOKENS as T } from '../tokens.ts';

/** How long requests under way may take after a signal, and after how long the process leaves whatever happens. */
const DRAIN_MS = 3_000;
const LEAVE_MS = 9_000;
const KEY_VISIBLE_MS = 30_000;

/** Runs the service, or the roles of it that are configured, until a signal comes; resolves when everything is closed. */
export const serve = async (config: Config): Promise<void> => {
  if (config.roles.has('api')) await checkLanguageModel(config.languageModel);
  if (config.roles.has('api')) await checkAddress(config);
  const telemetry = startTelemetry(config);
  try {
    await runUntilStopped(config);
  } finally {
    // It may listen on a port of its own, which would hold a process that could not start.
    await telemetry.shutdown();
  }
};

const runUntilStopped = async (config: Config): Promise<void> => {
  const log = createLog(config);
  const draining = new AbortController();
  const stopping = stopSignal(log);
  const databases = await openDatabases(config, (line) => log.info(line));
  const stopRoles = new AbortController();
  const endings = { draining: draining.signal, stopping: stopRoles.signal };
  const masterKey = await openMasterKey(config, databases, log).catch(async (error: unknown) => {
    await databases.close();
    throw error;
  });
  const container = await openContainer(config, databases, endings, masterKey);
  let roles: Promise<unknown> = Promise.resolve();
  let forget = (): void => {};
  let server: RunningServer | undefined;
  try {
    await prepare(container, config, databases, stopping.signal);
    if (stopping.signal.aborted) return;
    forget = measure(container, databases);
    const api = config.roles.has('api');
    // The port first: a key that was issued, but not shown because the port is taken, would be lost.
    const app = container.get(api ? T.Http : T.HealthHttp);
    server = await startServer(app, config, draining).catch((error: Error) => {
      throw addressError(config, error);
    });
    roles = Promise.all([
      startRoles(container, config, stopRoles.signal),
      sweeping(container, config, stopRoles.signal),
    ]);
    console.log(api ? await welcome(container, config, server.url) : healthBanner(server.url, config.roles));
    await stopping.received;
  } finally {
    const leave = setTimeout(() => process.exit(1), LEAVE_MS).unref();
    stopRoles.abort();
    forget();
    await Promise.all([server?.stop(DRAIN_MS), roles]);
    await container.unbindAllAsync();
    clearTimeout(leave);
  }
};

const welcome = async (container: Container, config: Config, url: string): Promise<string> => {
  const first = await firstKey(container, config);
  if (!(await container.get(T.ReadGate).reached(['api_key'], first.position, KEY_VISIBLE_MS))) {
    container.get(T.Logger).warn('keys are not up to date: does a process with the role projector run?');
  }
  return banner(url, first.key);
};

const firstKey = (container: Container, config: Config): Promise<FirstKey> => {
  const bootstrap = {
    execute: container.get(T.Execute),
    store: container.get(T.EventStore),
    codec: container.get(T.EventCodec),
    ids: container.get(T.IdSource),
    hash: container.get(T.Hash),
    clock: container.get(T.Clock),
    secrets: container.get(T.Secrets),
  };
  return ensureKey(bootstrap, FIRST_TENANT, config.bootstrapKey);
};

const measure = (container: Container, { views: { db } }: Databases): (() => void) =>
  registerMetrics({
    views: async () =>
      (await viewHealth(db)).map(({ view, halted_because, moved_at }) => ({
        view,
        halted: halted_because !== null,
        idleSeconds: (Date.now() - moved_at.getTime()) / 1000,
      })),
    jobs: () => dataSourcesByStatus(db),
    hiddenMs: container.get(T.EventFeed).oldestHiddenAgeMs,
  });

/** Vectors are made by workers: they are what reaches out. */
const RUNNING = {
  projector: [T.Projectors],
  worker: [T.Worker, T.Embedding, T.Eraser],
  scheduler: [T.Scheduler],
} as const;

const startRoles = (container: Container, { roles }: Config, signal: AbortSignal): Promise<unknown> =>
  Promise.all(
    (['projector', 'worker', 'scheduler'] as const)
      .filter((role) => roles.has(role))
      .flatMap((role) => RUNNING[role])
      .map((part) => container.get(part).run(signal)),
  );

/** What crashes leave behind is nobody's work but the scheduler's. */
const sweeping = async (container: Container, { roles }: Config, signal: AbortSignal): Promise<void> => {
  if (roles.has('scheduler')) await container.get(T.VaultSweep).run(signal);
};
