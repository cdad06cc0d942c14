import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import type { Container } from 'inversify';
import { dataSourcesByStatus, viewHealth } from '../adapters/postgres/projections/health.ts';
import { registerMetrics } from '../adapters/telemetry/metrics.ts';
import type { Config } from './config/config.ts';
import { CORE } from './modules/core.ts';

export interface Telemetry {
  readonly shutdown: () => Promise<void>;
}

/**
 * Traces and metrics, as the variables of OpenTelemetry say. Where there are none, events carry their trace and that is
 * all: the whole SDK, which costs a start a fifth of a second of the processor, is then not even imported.
 */
export const startTelemetry = async (
  config: Pick<Config, 'telemetry' | 'metricsPort' | 'host'>,
): Promise<Telemetry> => {
  if (config.telemetry.asked || config.metricsPort !== undefined) {
    const { startSdk } = await import('./telemetry-sdk.ts');
    return startSdk(config);
  }
  return startUnseen();
};

/** As the SDK does by itself when it is told nothing. */
const startUnseen = (): Telemetry => {
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

/** Has a running service measured. Answers how to end that. */
export const measure = (container: Container): (() => void) => {
  const { db, feed, watches } = container.get(CORE);
  return registerMetrics({
    views: async () =>
      (await viewHealth(db)).map(({ view, haltedBecause, movedAt }) => ({
        view,
        halted: haltedBecause !== null,
        idleSeconds: (Date.now() - movedAt.getTime()) / 1000,
      })),
    jobs: () => dataSourcesByStatus(db),
    hiddenMs: feed.oldestHiddenAgeMs,
    eventStoreUp: () => watches.events.unavailableSince() === null,
  });
};
