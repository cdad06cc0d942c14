import { setTimeout as delay } from 'node:timers/promises';
import type { Container } from 'inversify';
import { type RunningServer, startServer } from '../../adapters/http/server.ts';
import { createStopSteps } from '../../adapters/http/stop-steps.ts';
import { dataSourcesByStatus, viewHealth } from '../../adapters/postgres/projections/health.ts';
import { registerMetrics } from '../../adapters/telemetry/metrics.ts';
import { banner, healthBanner } from '../banner.ts';
import type { Config } from '../config.ts';
import { openWithFirstKey } from '../first-key.ts';
import { checkLanguageModel } from '../language-model.ts';
import { addressError, checkAddress } from '../listening.ts';
import { leaveAfter, whileStarting } from '../leaving.ts';
import { createLog } from '../log.ts';
import { openContainer } from '../container.ts';
import { openMasterKey } from '../master-key.ts';
import { prepare } from '../prepare.ts';
import { type Databases, openDatabases } from '../startup.ts';
import { stopSignal } from '../stop-signal.ts';
import { startTelemetry } from '../telemetry.ts';
import { TOKENS as T } from '../tokens.ts';

/**
 * How long requests under way may take once the port closes, and after how long the process leaves whatever happens;
 * both beside `drainMs`.
 */
const GRACE_MS = 3_000;
const LEAVE_MS = 9_000;

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
  const steps = createStopSteps();
  const stopping = stopSignal(log);
  const databases = await whileStarting(stopping.signal, () =>
    openDatabases(config, (line, level) => log[level](line), stopping.signal),
  );
  if (databases === null) return;
  const [stopWork, stopViews] = [new AbortController(), new AbortController()];
  const endings = { stop: steps, stopping: stopWork.signal };
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
    server = await startServer(app, config, steps).catch((error: Error) => {
      throw addressError(config, error);
    });
    roles = Promise.all([
      startRoles(container, config, { work: stopWork.signal, views: stopViews.signal }),
      sweeping(container, config, stopWork.signal),
    ]);
    const start = container.get(T.StartState);
    if (api)
      console.log(banner(server.url, await openWithFirstKey(container, config, start, stopping.signal)));
    else {
      start.set({});
      console.log(healthBanner(server.url, config.roles));
    }
    await Promise.race([stopping.received, databases.failed]);
  } finally {
    // Who serves nothing but health need not wait for proxies to look elsewhere.
    const drainMs = config.roles.has('api') && stopping.signal.aborted ? config.drainMs : 0;
    const leave = leaveAfter(drainMs + LEAVE_MS, databases, log);
    stopWork.abort();
    await server?.stop(GRACE_MS, delay(drainMs));
    // What is still written by requests is to be seen by them.
    stopViews.abort();
    forget();
    await roles;
    await container.unbindAllAsync();
    leave.cancel();
  }
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

interface RoleSignals {
  readonly work: AbortSignal;
  readonly views: AbortSignal;
}

const startRoles = (container: Container, { roles }: Config, signals: RoleSignals): Promise<unknown> =>
  Promise.all(
    (['projector', 'worker', 'scheduler'] as const)
      .filter((role) => roles.has(role))
      .flatMap((role) => RUNNING[role].map((part) => ({ role, part })))
      .map(({ role, part }) => container.get(part).run(role === 'projector' ? signals.views : signals.work)),
  );

/** What crashes leave behind is nobody's work but the scheduler's. */
const sweeping = async (container: Container, { roles }: Config, signal: AbortSignal): Promise<void> => {
  if (roles.has('scheduler')) await container.get(T.VaultSweep).run(signal);
};
