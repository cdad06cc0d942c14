import { setTimeout as delay } from 'node:timers/promises';
import type { Container } from 'inversify';
import { type RunningServer, startServer } from '../../adapters/http/server.ts';
import { createStopSteps, type StopSteps } from '../../adapters/http/stop-steps.ts';
import type { Logger } from '../../application/ports/logger.ts';
import { banner, healthBanner, keyBanner } from '../banner.ts';
import type { Config } from '../config.ts';
import { openWithFirstKey } from '../first-key.ts';
import { checkAgentRuntime } from '../agent-runtime.ts';
import { checkLanguageModel } from '../language-model.ts';
import { checkLocalModels } from '../local-models.ts';
import { addressError, checkAddress } from '../listening.ts';
import { leaveAfter, leavingOf, whileStarting } from '../leaving.ts';
import { createLog } from '../log.ts';
import { measure } from '../measure.ts';
import { openContainer } from '../container.ts';
import { openMasterKeys } from '../master-key.ts';
import { prepare } from '../prepare.ts';
import { type Databases, openDatabases } from '../startup.ts';
import { type StopSignal, stopSignal } from '../stop-signal.ts';
import { startTelemetry } from '../telemetry.ts';
import { TOKENS as T } from '../tokens.ts';
import { unlessAborted } from '../unless-aborted.ts';

/** How long requests under way may take once the port closes, beside `drainMs`. */
const GRACE_MS = 3_000;

/**
 * Runs the service, or the roles of it that are configured, until a signal comes. Resolves when everything is closed,
 * with what ended it. `takeSignals` is called when signals are watched for.
 */
export const serve = async (config: Config, takeSignals: () => void): Promise<string> => {
  const log = createLog(config);
  const stopping = stopSignal(log);
  takeSignals();
  if (config.roles.has('api')) await checkLanguageModel(config.languageModel);
  for (const { model } of Object.values(config.agents.providers)) await checkLanguageModel(model);
  await checkAgentRuntime(config.agents.runtime);
  checkLocalModels(config);
  const { host, metricsPort } = config;
  if (config.roles.has('api')) await checkAddress(config);
  // Its exporter would print an error and leave the service without metrics.
  if (metricsPort !== undefined)
    await checkAddress({ host, port: metricsPort, variable: 'KNOWLEDGER_METRICS_PORT' });
  const telemetry = await startTelemetry(config);
  try {
    if (!stopping.signal.aborted) await runUntilStopped(config, stopping, log);
    return await stopping.received;
  } finally {
    // It may listen on a port of its own, which would hold a process that could not start.
    await telemetry.shutdown();
  }
};

/** What runs, as far as a start has come, and how it is ended. */
interface Running {
  /** Whether it was ready to serve once. */
  started: boolean;
  server?: RunningServer;
  roles?: Promise<unknown>;
  forget?: () => void;
  close: () => Promise<unknown>;
}

const runUntilStopped = async (config: Config, stopping: StopSignal, log: Logger): Promise<void> => {
  const databases = await whileStarting(stopping.signal, () =>
    openDatabases(config, (line, level) => log[level](line), stopping.signal),
  );
  if (databases === null) return;
  const signals = { steps: createStopSteps(), work: new AbortController(), views: new AbortController() };
  const running: Running = { started: false, close: databases.close };
  let failure: Error | undefined;
  try {
    await run(config, databases, { stopping, ...signals }, running);
  } catch (error) {
    failure = error as Error;
    // A start is given up by failing.
    if (!stopping.signal.aborted) throw error;
  } finally {
    // Nobody has been sent to a service that was not ready, and who serves nothing but health need not wait either.
    const drainMs =
      config.roles.has('api') && running.started && stopping.signal.aborted ? config.drainMs : 0;
    const leave = leaveAfter(leavingOf(stopping.signal, running, drainMs, failure), databases, log);
    signals.work.abort();
    await running.server?.stop(GRACE_MS, delay(drainMs));
    // What is still written by requests is to be seen by them.
    signals.views.abort();
    running.forget?.();
    await running.roles;
    await running.close();
    leave.cancel();
  }
};

interface Signals {
  readonly stopping: StopSignal;
  readonly steps: StopSteps;
  readonly work: AbortController;
  readonly views: AbortController;
}

/** Rejects when the start fails or is told to stop, and when the embedded server is lost; resolves when told to stop. */
const run = async (
  config: Config,
  databases: Databases,
  { stopping, steps, work, views }: Signals,
  running: Running,
): Promise<void> => {
  const inTime = <T>(part: Promise<T>): Promise<T> => unlessAborted(part, stopping.signal);
  const masterKeys = await inTime(openMasterKeys(config, databases, createLog(config)));
  const endings = { stop: steps, stopping: work.signal };
  const container = await openContainer(config, databases, endings, masterKeys);
  running.close = () => container.unbindAllAsync();
  const watching = container.get(T.StoreWatches).run(views.signal);
  running.roles = watching;
  await inTime(prepare(container, config, databases, stopping.signal));
  running.forget = measure(container, databases);
  const api = config.roles.has('api');
  // The port first: a key that was issued, but not shown because the port is taken, would be lost.
  const app = container.get(api ? T.Http : T.HealthHttp);
  const server = await startServer(app, config, steps).catch((error: Error) => {
    throw addressError(config, error);
  });
  running.server = server;
  const opening = open(container, config, server, work.signal).finally(() => (running.started = true));
  running.roles = Promise.all([
    watching,
    opening.catch(() => {}),
    startRoles(container, config, { work: work.signal, views: views.signal }),
    sweeping(container, config, work.signal),
  ]);
  await Promise.race([stopping.received, databases.failed, opening.then(() => stopping.received)]);
};

/** Says where the service listens, and its first key. Resolves when the start is over, or `signal` aborts. */
const open = async (
  container: Container,
  config: Config,
  { url }: RunningServer,
  signal: AbortSignal,
): Promise<void> => {
  if (config.roles.has('api')) {
    const opened = (key: string | null): void => console.log(banner(url, key));
    const late = (key: string): void => console.log(keyBanner(key));
    return openWithFirstKey(container, config, { opened, late }, signal);
  }
  container.get(T.StartState).set({});
  console.log(healthBanner(url, config.roles));
};

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
  if (!roles.has('scheduler')) return;
  await Promise.all([T.VaultSweep, T.UploadSweep].map((sweep) => container.get(sweep).run(signal)));
};
