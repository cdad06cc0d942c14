import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import type { Container } from 'inversify';
import { dataSourcesByStatus, viewHealth, viewLags } from '../adapters/postgres/projections/health.ts';
import { agentRunWork } from '../adapters/postgres/work/agent-work.ts';
import { jobWork, purgeWork } from '../adapters/postgres/work/data-source-work.ts';
import { queueAges } from '../adapters/postgres/work/work-leases.ts';
import { contentsWithoutVector } from '../adapters/postgres/vectors/vector-store.ts';
import { registerMetrics } from '../adapters/telemetry/metrics.ts';
import type { Config } from './config/config.ts';
import { CORE } from './modules/core.ts';

export interface Telemetry {
  readonly shutdown: () => Promise<void>;
}

/**
 * Traces and metrics, as the OpenTelemetry variables say. Without any, events only carry their trace: the SDK, which
 * costs a start 0.2 s of CPU time, is not even imported.
 */
export const startTelemetry = async (
  config: Pick<Config, 'telemetry' | 'metricsPort' | 'host'>,
): Promise<Telemetry> => {
  if (config.telemetry.asked || config.metricsPort !== undefined) {
    const { startSdk } = await import('./telemetry-sdk.ts');
    return startSdk(config);
  }
  return startPropagationOnly();
};

/** Registers the same defaults as an unconfigured SDK. */
const startPropagationOnly = (): Telemetry => {
  const provider = new TracerProvider();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(
    new CompositePropagator({
      propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
    }),
  );
  trace.setGlobalTracerProvider(provider);
  return { shutdown: () => provider.shutdown() };
};

/** Starts the metrics of a running service. @returns a function that ends them */
export const measure = (container: Container): (() => void) => {
  const { config, db, feed, watches } = container.get(CORE);
  return registerMetrics({
    views: async () =>
      (await viewHealth(db)).map(({ view, haltedBecause, movedAt }) => ({
        view,
        halted: haltedBecause !== null,
        idleSeconds: (Date.now() - movedAt.getTime()) / 1000,
      })),
    lags: () => viewLags(db, feed, Date.now()),
    jobs: () => dataSourcesByStatus(db),
    queues: () => queueAges(db, [jobWork, purgeWork, agentRunWork], Date.now()),
    hiddenMs: feed.oldestHiddenAgeMs,
    eventStoreUp: () => watches.events.unavailableSince() === null,
    contentsWithoutVector: async () => (config.embeddings === undefined ? null : contentsWithoutVector(db)),
  });
};
