import { type Context, type Link, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import type { ProjectedEvent } from '../../application/event-sourcing/aggregates.ts';
import { spanContextOf, endSpanAfter } from './tracing.ts';

/** The part of a projection that is needed here. */
interface AppliedProjection {
  readonly view: string;
  /** Absent from a view of stored events, whose work belongs to no trace. */
  readonly apply?: (trx: never, schema: string, events: readonly ProjectedEvent[]) => Promise<void>;
}

/** Maximum number of traces that are linked to one batch. */
const MAX_LINKS = 32;

/**
 * A projection whose batches are spans, linked to the causes of their events. If all events belong to one
 * trace, the span is part of it. A batch without traces gets no span.
 */
export const tracedProjection = <P extends AppliedProjection>(projection: P): P => {
  const { apply } = projection;
  if (apply === undefined) return projection;
  const tracer = trace.getTracer('knowledger.projection');
  return {
    ...projection,
    apply: (trx: never, schema: string, events: readonly ProjectedEvent[]) => {
      const work = (): Promise<void> => apply(trx, schema, events);
      const causes = causesOf(events);
      const [first] = causes;
      if (first === undefined) return work();
      const traces = new Set(causes.map(({ context }) => context.traceId));
      const parent: Context =
        traces.size === 1 ? trace.setSpanContext(ROOT_CONTEXT, first.context) : ROOT_CONTEXT;
      const attributes = { 'knowledger.view': projection.view, 'knowledger.events': events.length };
      const options = { kind: SpanKind.CONSUMER, attributes, links: causes };
      return tracer.startActiveSpan('projection apply', options, parent, (span) => endSpanAfter(span, work));
    },
  };
};

const causesOf = (events: readonly ProjectedEvent[]): Link[] => {
  const headers = new Map<string, ProjectedEvent['metadata']>();
  for (const { metadata } of events) {
    if (headers.size === MAX_LINKS) break;
    if (metadata.traceparent !== undefined) headers.set(metadata.traceparent, metadata);
  }
  return [...headers.values()]
    .map((metadata) => spanContextOf(metadata))
    .filter((context) => context !== undefined)
    .map((context) => ({ context }));
};
