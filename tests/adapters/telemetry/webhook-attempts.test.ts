import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { afterEach, expect, it } from 'vitest';
import { countedDeliveries } from '../../../adapters/telemetry/metrics.ts';
import type { AttemptRecord, Delivery, WebhookDeliveries } from '../../../application/ports/webhooks.ts';

afterEach(() => metrics.disable());

it('attempts of webhooks are counted by their outcome, from 0 on, once they are recorded', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter });
  const meters = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(meters);
  const told = async () => {
    exporter.reset();
    await reader.forceFlush();
    const points = exporter.getMetrics()[0]!.scopeMetrics[0]!.metrics[0]!.dataPoints;
    return Object.fromEntries(points.map(({ attributes, value }) => [attributes['outcome'], value]));
  };
  const answers: (null | undefined)[] = [null, null, undefined, null];
  const { record } = countedDeliveries({
    record: async () => answers.shift(),
  } as unknown as WebhookDeliveries);
  expect(await told()).toEqual({ delivered: 0, failed: 0, dead: 0 });
  for (const state of ['delivered', 'pending', 'pending', 'dead'] as const)
    await record({} as Delivery, { state } as AttemptRecord);
  expect(await told()).toEqual({ delivered: 1, failed: 1, dead: 1 });
  await meters.shutdown();
});
