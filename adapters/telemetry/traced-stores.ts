import type { EventStore } from '../../application/ports/event-store.ts';
import { ended } from './tracing.ts';
import { type Attributes, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type pg from 'pg';

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

/** Faster statements are no spans: a crawl has hundreds of thousands of them. */
const SLOW_MS = 5;
const OPERATION = /^[\s(]*(select|with|insert|update|delete|merge|copy|call|create|drop|alter|truncate)\b/i;

type Query = (...args: unknown[]) => unknown;

/**
 * Makes spans of the slower statements of a pool, within a trace that is recorded: which kind it was and how long it
 * took, with neither its text nor its values. A span is made when its statement has ended.
 */
export const traceStatements = (pool: pg.Pool, server: Attributes, slowMs = SLOW_MS): void => {
  const timed = timedBy(server, slowMs);
  pool.query = timed(pool.query.bind(pool)) as typeof pool.query;
  pool.on('connect', (client) => {
    client.query = timed(client.query.bind(client)) as typeof client.query;
  });
};

const timedBy = (server: Attributes, slowMs: number) => {
  const tracer = trace.getTracer('knowledger.postgres');
  return (query: Query): Query =>
    (...args) => {
      if (trace.getActiveSpan()?.isRecording() !== true) return query(...args);
      const startTime = Date.now();
      const began = performance.now();
      const answer = query(...args);
      // Where the caller gives a callback, it is `pool.query`, which is measured itself.
      if (!(answer instanceof Promise)) return answer;
      const settled = (error?: unknown): void => {
        if (performance.now() - began < slowMs) return;
        const operation = operationOf(args[0]);
        const attributes = { ...server, 'db.system.name': 'postgresql', 'db.operation.name': operation };
        const span = tracer.startSpan(operation, { kind: SpanKind.CLIENT, attributes, startTime });
        if (error !== undefined) {
          const { code, name } = error as Error & { readonly code?: string };
          span.setAttributes({ 'db.response.status_code': code, 'error.type': code ?? name });
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      };
      answer.then(
        () => settled(),
        (error: unknown) => settled(error),
      );
      return answer;
    };
};

const operationOf = (statement: unknown): string => {
  const text =
    typeof statement === 'string' ? statement : (statement as { readonly text?: unknown } | null)?.text;
  return (typeof text === 'string' ? OPERATION.exec(text)?.[1]?.toUpperCase() : undefined) ?? 'OTHER';
};
