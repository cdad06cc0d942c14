import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import type { CollectionResult } from '@opentelemetry/sdk-metrics';

/** Base units, as Prometheus writes them at the end of a name. */
const UNITS: { readonly [unit: string]: string } = { s: 'seconds', By: 'bytes' };

/**
 * Metrics for Prometheus under the names that a collector would give them: `http.server.request.duration` in `s` is
 * `http_server_request_duration_seconds`. The exporter leaves the unit out.
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
