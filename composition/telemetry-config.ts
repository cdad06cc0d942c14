import { ConfigError, type Environment, integer, url } from './environment.ts';

/** Variables of OpenTelemetry that the exporters and the SDK do not read by themselves. The others they do. */
export interface TelemetryConfig {
  /** Whether there is any of them, be it one that only the SDK knows. */
  readonly asked: boolean;
  /** Whether a collector is named, and takes these. */
  readonly traces: boolean;
  readonly metrics: boolean;
  /** Which the attributes of the resource may name too; undefined: they do, or it is `knowledger`. */
  readonly serviceName: string | undefined;
  readonly metricExport: { readonly exportIntervalMillis: number; readonly exportTimeoutMillis: number };
  readonly spanExport: {
    readonly maxQueueSize: number;
    readonly scheduledDelayMillis: number;
    readonly exportTimeoutMillis: number;
    readonly maxExportBatchSize: number;
  };
}

const MOST_MS = 86_400_000;

/** @throws ConfigError */
export const readTelemetry = (env: Environment): TelemetryConfig => {
  const endpoint = (name: string) =>
    url(env, `OTEL_EXPORTER_OTLP_${name}`, ['http:', 'https:']) !== undefined;
  const base = endpoint('ENDPOINT');
  const sends = (kind: 'TRACES' | 'METRICS') =>
    (endpoint(`${kind}_ENDPOINT`) || base) && env[`OTEL_${kind}_EXPORTER`] !== 'none';
  refuseGrpc(env);
  const ms = (name: string, fallback: number) => integer(env, name, fallback, 1, MOST_MS);
  const exportIntervalMillis = ms('OTEL_METRIC_EXPORT_INTERVAL', 60_000);
  const maxQueueSize = integer(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 2_048, 1, 1_000_000);
  return {
    asked: Object.keys(env).some((name) => name.startsWith('OTEL_')),
    traces: sends('TRACES'),
    metrics: sends('METRICS'),
    serviceName: env['OTEL_SERVICE_NAME'] || undefined,
    metricExport: {
      exportIntervalMillis,
      // The SDK refuses a reader that would wait for longer than it exports.
      exportTimeoutMillis: Math.min(ms('OTEL_METRIC_EXPORT_TIMEOUT', 30_000), exportIntervalMillis),
    },
    spanExport: {
      maxQueueSize,
      scheduledDelayMillis: ms('OTEL_BSP_SCHEDULE_DELAY', 5_000),
      exportTimeoutMillis: ms('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
      maxExportBatchSize: Math.min(
        integer(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, 1, 1_000_000),
        maxQueueSize,
      ),
    },
  };
};

/** JSON over HTTP is sent, which a collector takes on the same port as Protobuf; gRPC has another port and protocol. */
const refuseGrpc = (env: Environment): void => {
  const names = ['PROTOCOL', 'TRACES_PROTOCOL', 'METRICS_PROTOCOL'].map(
    (name) => `OTEL_EXPORTER_OTLP_${name}`,
  );
  const name = names.find((of) => env[of] === 'grpc');
  if (name === undefined) return;
  throw new ConfigError(
    `${name} takes http/json or http/protobuf: name the collector's port for OTLP over HTTP, usually 4318`,
  );
};
