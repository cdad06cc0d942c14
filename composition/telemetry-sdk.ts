import { randomUUID } from 'node:crypto';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { startNodeSdk } from '@opentelemetry/sdk-node';
import { BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Config } from './config.ts';
import { prometheusReader } from './prometheus.ts';
import { programVersion } from './version.ts';

/** Without a processor the SDK makes no spans at all, and events would lose their trace. */
const UNSEEN: SpanProcessor = {
  onStart: () => {},
  onEnd: () => {},
  forceFlush: async () => {},
  shutdown: async () => {},
};

/**
 * What tells processes apart. `OTEL_RESOURCE_ATTRIBUTES`, which the SDK reads by itself, wins over these. The detectors
 * of the SDK are off, since they put host ids and command lines into every span.
 */
const resource = () => ({
  detect: () => ({
    attributes: {
      'service.name': 'knowledger',
      'service.version': programVersion(),
      'service.instance.id': randomUUID(),
    },
  }),
});

/**
 * The OpenTelemetry SDK. It runs without an endpoint too: the propagator must work for events to carry their trace.
 * Sampler, limits, propagators, addresses, headers and timeouts are read from `OTEL_*` by the SDK and its exporters.
 */
export const startSdk = ({
  telemetry,
  metricsPort,
  host,
}: Pick<Config, 'telemetry' | 'metricsPort' | 'host'>): { readonly shutdown: () => Promise<void> } => {
  const { traces, metrics, serviceName, metricExport, spanExport } = telemetry;
  const push = () =>
    new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(), ...metricExport });
  return startNodeSdk({
    ...(serviceName !== undefined && { resourceAttributes: { 'service.name': serviceName } }),
    resourceDetectors: [resource()],
    instrumentations: [],
    spanProcessors: [
      traces ? new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...spanExport }) : UNSEEN,
    ],
    metricReaders: [
      ...(metrics ? [push()] : []),
      ...(metricsPort === undefined ? [] : [prometheusReader(host, metricsPort)]),
    ],
    logRecordProcessors: [],
  });
};
