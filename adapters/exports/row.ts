import type { ExportedEvent } from '../../application/audit/export-log.ts';
import { readMetadata } from '../../application/event-sourcing/event-codec.ts';
import { traceIdOf } from '../../domain/trace-context.ts';

/** The columns of CSV and Parquet. `data`, `metadata` and `hidden` become JSON. */
export const rowOf = ({ line, tenant, position, recordedAt }: ExportedEvent) => {
  const { event, hidden } = line;
  const { actor, traceparent } = readMetadata(event.metadata as Parameters<typeof readMetadata>[0]);
  return {
    position,
    recorded_at: new Date(recordedAt),
    tenant,
    stream: event.stream,
    category: event.stream.slice(0, Math.max(0, event.stream.indexOf('-'))),
    revision: event.revision,
    id: event.id,
    type: event.type,
    actor_kind: actor.kind,
    actor_id: actor.id,
    trace_id: traceIdOf(traceparent) ?? null,
    index: line.index,
    leaf_hash: line.leaf_hash,
    data: event.data,
    metadata: event.metadata,
    hidden: hidden ?? null,
  };
};
export type Row = ReturnType<typeof rowOf>;

export const COLUMNS = [
  'position',
  'recorded_at',
  'tenant',
  'stream',
  'category',
  'revision',
  'id',
  'type',
  'actor_kind',
  'actor_id',
  'trace_id',
  'index',
  'leaf_hash',
  'data',
  'metadata',
  'hidden',
] as const satisfies readonly (keyof Row)[];
