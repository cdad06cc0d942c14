import type { Dispatcher } from 'undici';
import type { ExportedEvent } from '../../application/audit/export-log.ts';
import {
  CollectorRefused,
  CollectorUnavailable,
  type LogCollector,
} from '../../application/audit/log-collector.ts';
import { readMetadata } from '../../application/event-sourcing/event-codec.ts';
import type { JsonObject, JsonValue } from '../../application/ports/event-store.ts';
import type { Clock } from '../../application/ports/identity.ts';
import type { Logger } from '../../application/ports/logger.ts';
import { parseTraceparent } from '../../domain/trace-context.ts';
import { responseOf, textOf } from '../http-client/provider-response.ts';
import { connectionFault, serverDelay } from '../http-client/retry.ts';

const TIMEOUT_MS = 10_000;
/** Collectors take 20 MB unless they are told otherwise. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_RETRY_AFTER_MS = 10 * 60_000;

export interface OtlpCollectorOptions {
  readonly dispatcher: Dispatcher;
  /** The whole address, such as `https://collector:4318/v1/logs`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of this service. */
  readonly resource: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** A collector of OpenTelemetry, by OTLP/HTTP 1.7 with JSON. Requests have up to 4 MiB, or a single event. */
export const createOtlpCollector = ({
  dispatcher,
  url,
  headers,
  resource,
  clock,
  log,
}: OtlpCollectorOptions): LogCollector => {
  const { origin, pathname, search } = new URL(url);
  const [before, after] = JSON.stringify({
    resourceLogs: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeLogs: [{ scope: { name: 'knowledger.events' }, logRecords: [0] }],
      },
    ],
  }).split('0]') as [string, string];

  const request = async (records: readonly string[], first: ExportedEvent): Promise<void> => {
    const answer = await dispatcher
      .request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: `${before}${records.join(',')}]${after}`,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      .then(async (received) => {
        const response = responseOf(received, new URL(url), MAX_ANSWER_BYTES);
        return { ...response, said: await textOf(response) };
      })
      .catch((error: unknown) => {
        throw new CollectorUnavailable(`the collector does not answer: ${connectionFault(error).word}`);
      });
    const { status, header, said } = answer;
    if (RETRIED.has(status))
      throw new CollectorUnavailable(
        `the collector answered ${status}`,
        Math.min(serverDelay(header, clock.now()), MAX_RETRY_AFTER_MS),
      );
    const { rejected, message } = partialSuccessIn(said);
    if (status < 200 || status > 299)
      throw new CollectorRefused(
        `the collector answered ${status} to this event and the ${records.length - 1} after it`,
        first,
      );
    if (rejected > 0)
      throw new CollectorRefused(
        `the collector rejected ${rejected} of this event and the ${records.length - 1} after it: ${message}`,
        first,
      );
    if (message !== '') log.warn('the collector of events warns', { message });
  };

  return {
    send: async (events) => {
      const observed = clock.now();
      let [records, bytes, first]: [string[], number, ExportedEvent] = [[], 0, events[0]!];
      for (const event of events) {
        const record = JSON.stringify(recordOf(event, observed));
        const size = Buffer.byteLength(record);
        if (records.length > 0 && bytes + size > MAX_BYTES) {
          await request(records, first);
          [records, bytes, first] = [[], 0, event];
        }
        records.push(record);
        bytes += size;
      }
      await request(records, first);
    },
  };
};

/** All other errors must not be retried (OTLP specification, "Retryable Response Codes"). */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** An ExportLogsServiceResponse; collectors that answer something else with 200 have accepted all. */
const partialSuccessIn = (said: string): { readonly rejected: number; readonly message: string } => {
  try {
    const { partialSuccess } = JSON.parse(said) as {
      readonly partialSuccess?: { readonly rejectedLogRecords?: unknown; readonly errorMessage?: unknown };
    };
    const rejected = Number(partialSuccess?.rejectedLogRecords ?? 0);
    const { errorMessage: message } = partialSuccess ?? {};
    return { rejected, message: typeof message === 'string' ? message.slice(0, 200) : '' };
  } catch {
    return { rejected: 0, message: '' };
  }
};

/** A LogRecord in the JSON encoding of OTLP: 64-bit integers are texts, ids are hexadecimal. */
const recordOf = ({ line, tenant, position, recordedAt }: ExportedEvent, observed: number) => {
  const { id, stream, revision, type, data, metadata } = line.event;
  const { actor, correlationId, traceparent } = readMetadata(metadata as JsonObject);
  const trace = parseTraceparent(traceparent);
  return {
    timeUnixNano: nanoseconds(recordedAt),
    observedTimeUnixNano: nanoseconds(observed),
    severityNumber: 9,
    severityText: 'INFO',
    eventName: type,
    body: anyValue(data as JsonObject),
    attributes: attributesOf({
      'knowledger.tenant': tenant,
      'knowledger.index': line.index,
      'knowledger.leaf_hash': line.leaf_hash,
      'knowledger.position': position,
      'knowledger.stream': stream,
      'knowledger.revision': revision,
      'knowledger.event_id': id,
      'knowledger.type': type,
      'knowledger.actor_kind': actor.kind,
      'knowledger.actor_id': actor.id,
      ...(actor.name !== undefined && { 'knowledger.actor_name': actor.name }),
      'knowledger.correlation_id': correlationId,
    }),
    ...(trace !== undefined && {
      traceId: trace.traceId,
      spanId: trace.parentId,
      flags: trace.sampled ? 1 : 0,
    }),
  };
};

const nanoseconds = (ms: number): string => `${ms}000000`;

const attributesOf = (attributes: JsonObject): readonly object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

const anyValue = (value: JsonValue | undefined): object => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (value === null || value === undefined) return {};
  return Array.isArray(value)
    ? { arrayValue: { values: value.map(anyValue) } }
    : { kvlistValue: { values: attributesOf(value as JsonObject) } };
};
