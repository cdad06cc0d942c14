import type { AuditEntry as Entry } from '../../../application/data-source/audit-trail.ts';
import { readMetadata } from '../../../application/event-codec.ts';
import type { RecordedEvent } from '../../../application/ports/event-store.ts';
import { traceIdOf } from '../../../domain/trace-context.ts';
import type { AuditEntry, LogEvent } from '../schemas/event.ts';
import { seconds } from './data-source-record.ts';

export const auditEntryRecord = (entry: Entry): AuditEntry => ({
  revision: Number(entry.revision),
  type: entry.type,
  time: seconds(entry.recorded_at),
  actor: entry.actor,
  ...(entry.job_id !== null && { job_id: entry.job_id }),
  ...(entry.attempt !== null && { attempt: entry.attempt }),
  ...(entry.from_status !== null && { from_status: entry.from_status }),
  to_status: entry.to_status,
  data: entry.data,
  ...(entry.trace_id !== null && { trace_id: entry.trace_id }),
});

export const logEventRecord = (event: RecordedEvent): LogEvent => {
  const { actor, tenant, correlationId, causationId, traceparent } = readMetadata(event.metadata);
  return {
    position: event.position,
    id: event.id,
    stream: event.stream,
    revision: Number(event.revision),
    type: event.type,
    time: seconds(event.recordedAt),
    actor: { ...actor, tenant },
    correlation_id: correlationId,
    causation_id: causationId,
    trace_id: traceIdOf(traceparent),
    data: event.data,
  };
};
