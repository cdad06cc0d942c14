import { ConfigError, type Environment, integer, readVariables, url } from './environment.ts';

const MAX_MS = 86_400_000;

/** OpenTelemetry variables that the exporters and the SDK do not read themselves. */
const VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:']),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url(['http:', 'https:']),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: url(['http:', 'https:']),
  OTEL_METRIC_EXPORT_INTERVAL: integer(1, MAX_MS, 60_000),
  OTEL_METRIC_EXPORT_TIMEOUT: integer(1, MAX_MS, 30_000),
  OTEL_BSP_MAX_QUEUE_SIZE: integer(1, 1_000_000, 2_048),
  OTEL_BSP_SCHEDULE_DELAY: integer(1, MAX_MS, 5_000),
  OTEL_BSP_EXPORT_TIMEOUT: integer(1, MAX_MS, 30_000),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: integer(1, 1_000_000, 512),
};

/** @throws ConfigError */
export const readTelemetry = (env: Environment) => {
  refuseGrpc(env);
  const given = readVariables(env, VARIABLES);
  const sends = (kind: 'TRACES' | 'METRICS'): boolean =>
    [given[`OTEL_EXPORTER_OTLP_${kind}_ENDPOINT`], given.OTEL_EXPORTER_OTLP_ENDPOINT].some(Boolean) &&
    env[`OTEL_${kind}_EXPORTER`] !== 'none';
  const { OTEL_METRIC_EXPORT_INTERVAL: interval, OTEL_BSP_MAX_QUEUE_SIZE: queue } = given;
  return {
    /** Whether any variable of OpenTelemetry is set, including those that only the SDK knows. */
    asked: Object.keys(env).some((name) => name.startsWith('OTEL_')),
    /** Whether a collector is configured and takes traces. */
    traces: sends('TRACES'),
    metrics: sends('METRICS'),
    /** Undefined: the resource attributes name the service, or it is `knowledger`. */
    serviceName: env['OTEL_SERVICE_NAME'] || undefined,
    metricExport: {
      exportIntervalMillis: interval,
      // The SDK refuses a reader whose timeout exceeds its interval.
      exportTimeoutMillis: Math.min(given.OTEL_METRIC_EXPORT_TIMEOUT, interval),
    },
    spanExport: {
      maxQueueSize: queue,
      scheduledDelayMillis: given.OTEL_BSP_SCHEDULE_DELAY,
      exportTimeoutMillis: given.OTEL_BSP_EXPORT_TIMEOUT,
      maxExportBatchSize: Math.min(given.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, queue),
    },
  };
};

/** The exporters send JSON over HTTP, which a collector accepts on the same port as Protobuf; gRPC has another port. */
const refuseGrpc = (env: Environment): void => {
  const names = ['PROTOCOL', 'TRACES_PROTOCOL', 'METRICS_PROTOCOL'].map((of) => `OTEL_EXPORTER_OTLP_${of}`);
  const name = names.find((of) => env[of] === 'grpc');
  if (name === undefined) return;
  throw new ConfigError(
    `${name} takes http/json or http/protobuf: name the collector's port for OTLP over HTTP, usually 4318`,
  );
};
