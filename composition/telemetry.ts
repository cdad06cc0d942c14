import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { startNodeSdk } from '@opentelemetry/sdk-node';
import { BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Config } from './config.ts';

/** Without a processor the SDK makes no spans at all, and events would lose their trace. */
const UNSEEN: SpanProcessor = {
  onStart: () => {},
  onEnd: () => {},
  forceFlush: async () => {},
  shutdown: async () => {},
};

/**
 * The OpenTelemetry SDK. It runs without an endpoint too: the propagator must work for events to carry their trace.
 * Resource detectors are off, since they put host ids and command lines into every span.
 */
export const startTelemetry = ({
  otlpEndpoint,
  metricsPort,
  host,
}: Pick<Config, 'otlpEndpoint' | 'metricsPort' | 'host'>) => {
  const base = otlpEndpoint?.replace(/\/$/, '');
  return startNodeSdk({
    resourceAttributes: { 'service.name': 'knowledger' },
    resourceDetectors: [],
    instrumentations: [],
    spanProcessors:
      base === undefined
        ? [UNSEEN]
        : [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${base}/v1/traces` }) })],
    metricReaders: [
      ...(base === undefined
        ? []
        : [
            new PeriodicExportingMetricReader({
              exporter: new OTLPMetricExporter({ url: `${base}/v1/metrics` }),
            }),
          ]),
      ...(metricsPort === undefined ? [] : [new PrometheusExporter({ host, port: metricsPort })]),
    ],
    logRecordProcessors: [],
  });
};
