import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import type { Container } from 'inversify';
import { registerMetrics } from '../adapters/telemetry/metrics.ts';
import type { Config } from './config/config.ts';
import { createMeasurements } from './measurements.ts';
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
export const measure = (container: Container): (() => void) =>
  registerMetrics(createMeasurements(container.get(CORE)));
