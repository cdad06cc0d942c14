import { SpanKind, trace } from '@opentelemetry/api';
import type { EventStore } from '../../application/ports/event-store.ts';
import { ended } from './tracing.ts';

/** An event store whose calls are spans; the store itself knows nothing of it. */
export const tracedEventStore = (store: EventStore): EventStore => {
  const tracer = trace.getTracer('knowledger.event-store');
  const inSpan = <T>(name: string, stream: string, work: () => Promise<T>): Promise<T> => {
    // Only within a trace: the look-outs of idle workers would otherwise make a trace each.
    if (trace.getActiveSpan() === undefined) return work();
    const attributes = { 'knowledger.stream': stream };
    return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, (span) => ended(span, work));
  };
  return {
    append: (stream, expected, events) =>
      inSpan('event store append', stream, () => store.append(stream, expected, events)),
    readStream: (stream, from, limit) =>
      inSpan('event store read', stream, () => store.readStream(stream, from, limit)),
  };
};
