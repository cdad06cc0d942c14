import type { LogEvent } from '../adapters/http/schemas/event.ts';
import type { Service } from '../tests/support/service.ts';

export type { LogEvent } from '../adapters/http/schemas/event.ts';

/** The log as the API replays it, in the ways in which the checks look things up. */
export interface Log {
  readonly events: readonly LogEvent[];
  readonly streams: ReadonlyMap<string, readonly LogEvent[]>;
  /** Of a request that a client made: what workers did because of it has its trace id too, and is not among these. */
  readonly byTrace: ReadonlyMap<string, readonly LogEvent[]>;
  readonly byPosition: ReadonlyMap<string, LogEvent>;
}

export const readLog = async ({ base, key }: Pick<Service, 'base' | 'key'>): Promise<Log> => {
  const headers = { 'x-api-key': key, accept: 'application/x-ndjson' };
  const response = await fetch(`${base}/api/v1/events`, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`GET /events answered ${response.status}: ${text}`);
  const lines = text.split('\n').filter((line) => line !== '');
  return logOf(lines.map((line) => JSON.parse(line) as LogEvent));
};

const logOf = (events: readonly LogEvent[]): Log => ({
  events,
  streams: Map.groupBy(events, ({ stream }) => stream),
  byTrace: Map.groupBy(
    events.filter(({ actor }) => actor.kind === 'api_key'),
    ({ trace_id: traceId }) => traceId ?? '',
  ),
  byPosition: new Map(events.map((event) => [event.position, event])),
});

export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));
