import type { Container } from 'inversify';
import { type RunningServer, startServer } from '../../adapters/http/server.ts';
import { dataSourcesByStatus, viewHealth } from '../../adapters/postgres/projections/health.ts';
import { prepareViews } from '../../adapters/postgres/projections/rebuild.ts';
import { registerMetrics } from '../../adapters/telemetry/metrics.ts';
import { banner } from '../banner.ts';
import { ensureKey, FIRST_TENANT, type FirstKey } from '../bootstrap.ts';
import type { Config } from '../config.ts';
import { buildContainer } from '../container.ts';
import { type Databases, openDatabases } from '../startup.ts';
import { startTelemetry } from '../telemetry.ts';
import { TOKENS as T } from '../tokens.ts';

/** How long requests under way may take after a signal, and after how long the process leaves whatever happens. */
const DRAIN_MS = 3_000;
const LEAVE_MS = 9_000;

/** Runs the service until a signal comes; resolves when everything is closed. */
export const serve = async (config: Config): Promise<void> => {
  const telemetry = startTelemetry(config);
  const draining = new AbortController();
  const stopping = stopSignal();
  const databases = await openDatabases(config, (line) => console.error(line));
  const container = buildContainer(config, databases, draining.signal);
  const stopRoles = new AbortController();
  let roles: Promise<unknown> = Promise.resolve();
  let forget = (): void => {};
  let server: RunningServer | undefined;
  try {
    await prepare(container, databases, stopping.signal);
    forget = measure(container, databases);
    // The port first: a key that was issued, but not shown because the port is taken, would be lost.
    server = await startServer(container.get(T.Http), config, draining);
    roles = startRoles(container, stopRoles.signal);
    const first = await firstKey(container, config);
    await container.get(T.ReadGate).reached(['api_key'], first.position, 30_000);
    console.log(banner(server.url, first.key));
    await stopping.received;
  } finally {
    const leave = setTimeout(() => process.exit(1), LEAVE_MS).unref();
    stopRoles.abort();
    forget();
    await Promise.all([server?.stop(DRAIN_MS), roles]);
    await container.unbindAllAsync();
    await telemetry.shutdown();
    clearTimeout(leave);
  }
};

/** Views of the right shape, and no leases of the dead. */
const prepare = async (
  container: Container,
  { views, embedded }: Databases,
  signal: AbortSignal,
): Promise<void> => {
  const log = container.get(T.Logger);
  const deps = { db: views.db, feed: container.get(T.EventFeed), codec: container.get(T.EventCodec) };
  await prepareViews(deps, container.get(T.Projections), signal, (view) => log.info('rebuilding', { view }));
  if (embedded) {
    // This process alone uses an embedded server: whoever else holds a lease is dead.
    const ended = await container.get(T.WorkLeases).takeOver(container.get(T.Owner));
    if (ended > 0) log.info('took over the leases of an earlier process', { ended });
  }
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

const startRoles = (container: Container, signal: AbortSignal): Promise<unknown> =>
  Promise.all([T.Projectors, T.Worker, T.Scheduler].map((token) => container.get(token).run(signal)));

/** The first SIGINT or SIGTERM stops in good order, the second at once. */
const stopSignal = (): { readonly received: Promise<void>; readonly signal: AbortSignal } => {
  const controller = new AbortController();
  const received = new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => {
        if (controller.signal.aborted) process.exit(1);
        console.error(`${name}: stopping, once more to stop at once`);
        controller.abort();
        resolve();
      });
    }
  });
  return { received, signal: controller.signal };
};
