import { SpanKind, trace } from '@opentelemetry/api';
import type { EventStore } from '../../application/ports/event-store.ts';
import { ended } from './tracing.ts';

/** An event store whose calls are spans; the store itself knows nothing of it. */
export const tracedEventStore = (store: EventStore, system: 'postgresql' | 'eventstoredb'): EventStore => {
  const tracer = trace.getTracer('knowledger.event-store');
  const inSpan = <T>(operation: 'append' | 'read', stream: string, work: () => Promise<T>): Promise<T> => {
    // Only within a trace: the look-outs of idle workers would otherwise make a trace each.
    if (trace.getActiveSpan() === undefined) return work();
    const attributes = {
      'knowledger.stream': stream,
      'db.system.name': system,
      'db.operation.name': operation,
    };
    return tracer.startActiveSpan(`event store ${operation}`, { kind: SpanKind.CLIENT, attributes }, (span) =>
      ended(span, work),
    );
  };
  return {
    append: (stream, expected, events) =>
      inSpan('append', stream, () => store.append(stream, expected, events)),
    readStream: (stream, from, limit) => inSpan('read', stream, () => store.readStream(stream, from, limit)),
  };
};
