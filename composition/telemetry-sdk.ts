import { randomUUID } from 'node:crypto';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { type CollectionResult, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { startNodeSdk } from '@opentelemetry/sdk-node';
import { BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Config } from './config/config.ts';
import { programVersion } from './process.ts';

/** Without a processor the SDK makes no spans, and events would lose their trace. */
const NO_OP_PROCESSOR: SpanProcessor = {
  onStart: () => {},
  onEnd: () => {},
  forceFlush: async () => {},
  shutdown: async () => {},
};

/**
 * Attributes that distinguish processes. `OTEL_RESOURCE_ATTRIBUTES`, which the SDK reads itself, overrides them. The
 * detectors of the SDK are off, because they put host ids and command lines into every span.
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
 * Starts the OpenTelemetry SDK, even without an endpoint: events carry their trace only if the propagator works. The
 * SDK and its exporters read sampler, limits, propagators, addresses, headers and timeouts from `OTEL_*`.
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
      traces ? new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...spanExport }) : NO_OP_PROCESSOR,
    ],
    metricReaders: [
      ...(metrics ? [push()] : []),
      ...(metricsPort === undefined ? [] : [prometheusReader(host, metricsPort)]),
    ],
    logRecordProcessors: [],
  });
};

/** Base units as Prometheus appends them to metric names. */
const UNITS: { readonly [unit: string]: string } = { s: 'seconds', By: 'bytes' };

/**
 * Metrics for Prometheus under the names that a collector would give them: `http.server.request.duration` in `s`
 * becomes `http_server_request_duration_seconds`. The exporter itself leaves the unit out.
 */
export const prometheusReader = (host: string, port: number): PrometheusExporter => {
  const reader = new PrometheusExporter({ host, port });
  const collect = reader.collect.bind(reader);
  reader.collect = async (options) => withUnits(await collect(options));
  return reader;
};

const withUnits = ({ resourceMetrics, errors }: CollectionResult): CollectionResult => ({
  errors,
  resourceMetrics: {
    ...resourceMetrics,
    scopeMetrics: resourceMetrics.scopeMetrics.map((scope) => ({
      ...scope,
      metrics: scope.metrics.map((metric) => {
        const { name, unit } = metric.descriptor;
        const suffix = UNITS[unit];
        if (suffix === undefined || name.endsWith(`_${suffix}`)) return metric;
        return { ...metric, descriptor: { ...metric.descriptor, name: `${name}_${suffix}` } };
      }),
    })),
  },
});
