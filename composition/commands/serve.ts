import { setTimeout as delay } from 'node:timers/promises';
import type { Container } from 'inversify';
import { type RunningServer, startServer } from '../../adapters/http/server.ts';
import { type StopSteps, createStopSteps } from '../../adapters/http/stop-signals.ts';
import type { Logger } from '../../application/ports/logger.ts';
import { banner, healthBanner, keyBanner } from '../banner.ts';
import type { Config } from '../config/config.ts';
import { buildConsole } from '../console.ts';
import { openContainer } from '../container.ts';
import { type Databases, openDatabases, unlessAborted } from '../databases.ts';
import { openWithFirstKey } from '../first-key.ts';
import { openMasterKeys } from '../master-key.ts';
import { COLLECTOR } from '../modules/collector.ts';
import { CORE } from '../modules/core.ts';
import { API, HEALTH } from '../modules/http.ts';
import { SCHEDULER, VIEWS, WORKER } from '../modules/roles.ts';
import { checkOptionalPackages } from '../optional-packages.ts';
import { prepare } from '../prepare.ts';
import { createLog, exitAfter, exitOf, type StopSignal, stopSignal, whileStarting } from '../process.ts';
import { addressError, checkAddress } from '../start-errors.ts';
import { measure, startTelemetry } from '../telemetry.ts';

/** Time for requests in flight after the port closes, in addition to `drainMs`. */
const GRACE_MS = 3_000;

/**
 * Runs the service, or its configured roles, until a signal arrives. Resolves when everything is closed, with the
 * reason of the stop. Calls `takeSignals` as soon as it handles signals itself.
 */
export const serve = async (config: Config, takeSignals: () => void): Promise<string> => {
  const log = createLog(config);
  const stopping = stopSignal(log);
  takeSignals();
  await checkOptionalPackages(config);
  const { host, metricsPort } = config;
  if (config.roles.has('api')) await checkAddress(config);
  // The exporter would only print an error and leave the service without metrics.
  if (metricsPort !== undefined)
    await checkAddress({ host, port: metricsPort, variable: 'KNOWLEDGER_METRICS_PORT' });
  const telemetry = await startTelemetry(config);
  try {
    if (!stopping.signal.aborted) await runUntilStopped(config, stopping, log);
    return await stopping.received;
  } finally {
    // It may listen on its own port, which would keep a process alive that failed to start.
    await telemetry.shutdown();
  }
};

/** The progress of a start, and how to stop what runs. */
interface Running {
  /** Whether the service was ever ready. */
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
    // An aborted start rejects.
    if (!stopping.signal.aborted) throw error;
  } finally {
    // No traffic was routed to a service that was not ready, and a process that serves only health checks need not
    // drain.
    const drainMs =
      config.roles.has('api') && running.started && stopping.signal.aborted ? config.drainMs : 0;
    const exit = exitAfter(exitOf(stopping.signal, running, drainMs, failure), databases, log);
    signals.work.abort();
    await running.server?.stop(GRACE_MS, delay(drainMs));
    // The views stop last, so that they still project what requests write.
    signals.views.abort();
    running.forget?.();
    await running.roles;
    await running.close();
    exit.cancel();
  }
};

interface Signals {
  readonly stopping: StopSignal;
  readonly steps: StopSteps;
  readonly work: AbortController;
  readonly views: AbortController;
}

/** Rejects when the start fails or is aborted, and when the embedded server is lost; resolves when told to stop. */
const run = async (
  config: Config,
  databases: Databases,
  { stopping, steps, work, views }: Signals,
  running: Running,
): Promise<void> => {
  const inTime = <T>(part: Promise<T>): Promise<T> => unlessAborted(part, stopping.signal);
  // Beside the rest of the start.
  const consoleBuilt =
    config.roles.has('api') && config.console ? buildConsole(createLog(config)) : undefined;
  const masterKeys = await inTime(openMasterKeys(config, databases, createLog(config)));
  const endings = { stop: steps, stopping: work.signal };
  const container = await openContainer(config, databases, endings, masterKeys);
  running.close = () => container.unbindAllAsync();
  const watching = container.get(CORE).watches.run(views.signal);
  running.roles = watching;
  await inTime(prepare(container, stopping.signal));
  running.forget = measure(container);
  const api = config.roles.has('api');
  if (consoleBuilt !== undefined) await inTime(consoleBuilt);
  // The port opens first: a key that was issued but not shown because the port is taken would be lost.
  const { app } = container.get(api ? API : HEALTH);
  const server = await startServer(app(), config, steps).catch((error: Error) => {
    throw addressError(config, error);
  });
  running.server = server;
  const opening = open(container, config, server, work.signal).finally(() => (running.started = true));
  running.roles = Promise.all([
    watching,
    opening.catch(() => {}),
    startRoles(container, config, { work: work.signal, views: views.signal }),
  ]);
  await Promise.race([stopping.received, databases.failed, opening.then(() => stopping.received)]);
};

/** Prints where the service listens, and its first key. Resolves when the start is complete or `signal` aborts. */
const open = async (
  container: Container,
  config: Config,
  { url }: RunningServer,
  signal: AbortSignal,
): Promise<void> => {
  if (config.roles.has('api')) {
    const opened = (key: string | null): void =>
      console.log(
        banner(url, key, { hasEmbeddings: config.embeddings !== undefined, hasConsole: config.console }),
      );
    const late = (key: string): void => console.log(keyBanner(key));
    return openWithFirstKey(container, config, { opened, late }, signal);
  }
  container.get(HEALTH).start.set({});
  console.log(healthBanner(url, config.roles));
};

interface RoleSignals {
  readonly work: AbortSignal;
  readonly views: AbortSignal;
}

const startRoles = (
  container: Container,
  { roles }: Config,
  { work, views }: RoleSignals,
): Promise<unknown> =>
  Promise.all([
    ...(roles.has('projector') ? [container.get(VIEWS).run(views), container.get(COLLECTOR).run(views)] : []),
    ...(roles.has('worker') ? [container.get(WORKER).run(work)] : []),
    ...(roles.has('scheduler') ? [container.get(SCHEDULER).run(work)] : []),
  ]);
