import { type Context, type Link, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import type { ProjectedEvent } from '../../application/event-sourcing/aggregates.ts';
import { callerOf, ended } from './tracing.ts';

/** As much of a projection as is needed here. */
interface Applying {
  readonly view: string;
  readonly apply: (trx: never, schema: string, events: readonly ProjectedEvent[]) => Promise<void>;
}

/** More traces than these are not linked to one batch. */
const MAX_LINKS = 32;

/**
 * A projection whose batches are spans, linked to what caused their events; part of that trace where it is one. A batch
 * of events without a trace is none.
 */
export const tracedProjection = <P extends Applying>(projection: P): P => {
  const tracer = trace.getTracer('knowledger.projection');
  return {
    ...projection,
    apply: (trx: never, schema: string, events: readonly ProjectedEvent[]) => {
      const work = (): Promise<void> => projection.apply(trx, schema, events);
      const causes = causesOf(events);
      const [first] = causes;
      if (first === undefined) return work();
      const traces = new Set(causes.map(({ context }) => context.traceId));
      const parent: Context =
        traces.size === 1 ? trace.setSpanContext(ROOT_CONTEXT, first.context) : ROOT_CONTEXT;
      const attributes = { 'knowledger.view': projection.view, 'knowledger.events': events.length };
      const options = { kind: SpanKind.CONSUMER, attributes, links: causes };
      return tracer.startActiveSpan('projection apply', options, parent, (span) => ended(span, work));
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
    .map((metadata) => callerOf(metadata))
    .filter((context) => context !== undefined)
    .map((context) => ({ context }));
};
