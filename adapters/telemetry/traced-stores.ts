import type { EventStore } from '../../application/ports/event-store.ts';
import { endSpanAfter } from './tracing.ts';
import { type Attributes, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type pg from 'pg';

/** An event store whose calls are spans. */
export const tracedEventStore = (store: EventStore, system: 'postgresql' | 'eventstoredb'): EventStore => {
  const tracer = trace.getTracer('knowledger.event-store');
  const inSpan = <T>(operation: 'append' | 'read', stream: string, work: () => Promise<T>): Promise<T> => {
    // Only within a trace: otherwise every poll of an idle worker would create one.
    if (trace.getActiveSpan() === undefined) return work();
    const attributes = {
      'knowledger.stream': stream,
      'db.system.name': system,
      'db.operation.name': operation,
    };
    return tracer.startActiveSpan(`event store ${operation}`, { kind: SpanKind.CLIENT, attributes }, (span) =>
      endSpanAfter(span, work),
    );
  };
  return {
    append: (stream, expected, events) =>
      inSpan('append', stream, () => store.append(stream, expected, events)),
    readStream: (stream, from, limit) => inSpan('read', stream, () => store.readStream(stream, from, limit)),
  };
};

/** Faster statements get no span: a crawl has hundreds of thousands of them. */
const SLOW_MS = 5;
const OPERATION = /^[\s(]*(select|with|insert|update|delete|merge|copy|call|create|drop|alter|truncate)\b/i;

type Query = (...args: unknown[]) => unknown;

/**
 * Creates spans for the slower statements of a pool, within a recorded trace: their operation and duration,
 * without text and values. The span is created after the statement has ended.
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
      const result = query(...args);
      // A caller that passes a callback is `pool.query`, which is measured itself.
      if (!(result instanceof Promise)) return result;
      const finish = (error?: unknown): void => {
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
      result.then(
        () => finish(),
        (error: unknown) => finish(error),
      );
      return result;
    };
};

const operationOf = (statement: unknown): string => {
  const text =
    typeof statement === 'string' ? statement : (statement as { readonly text?: unknown } | null)?.text;
  return (typeof text === 'string' ? OPERATION.exec(text)?.[1]?.toUpperCase() : undefined) ?? 'OTHER';
};
