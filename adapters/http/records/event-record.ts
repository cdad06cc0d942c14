import type { AuditEntry as Entry } from '../../../application/sources/data-sources/audit-trail.ts';
import { readMetadata } from '../../../application/event-sourcing/event-codec.ts';
import type { RecordedEvent } from '../../../application/ports/event-store.ts';
import { traceIdOf } from '../../../domain/trace-context.ts';
import type { AuditEntry, LogEvent } from '../schemas/event.ts';
import { seconds } from './data-source-record.ts';

export const auditEntryRecord = (entry: Entry): AuditEntry => ({
  revision: Number(entry.revision),
  type: entry.type,
  time: seconds(entry.recordedAt),
  actor: entry.actor,
  ...(entry.jobId !== null && { job_id: entry.jobId }),
  ...(entry.attempt !== null && { attempt: entry.attempt }),
  ...(entry.fromStatus !== null && { from_status: entry.fromStatus }),
  to_status: entry.toStatus,
  data: entry.data,
  ...(entry.traceId !== null && { trace_id: entry.traceId }),
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
