import type { Tracing } from '../../application/ports/logger.ts';
import {
  type Attributes,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { continuedTrace, traceHeadersOf } from '../http-client/trace-headers.ts';

/** Implements the tracing port with OpenTelemetry. Without a started SDK it only runs the work. */
export const createTracing = (): Tracing => {
  const tracer = trace.getTracer('knowledger');
  return {
    inSpan: async (name, from, attributes, work) => {
      const remote = continuedTrace(from);
      const caused = trace.getSpanContext(remote);
      const links = caused === undefined ? [] : [{ context: caused }];
      return tracer.startActiveSpan(name, { kind: SpanKind.CONSUMER, attributes, links }, remote, (span) =>
        endSpanAfter(span, () => work(traceHeadersOf().traceparent)),
      );
    },
  };
};

/** The span context in the headers of an event; undefined if there is none or tracing is off. */
export const spanContextOf = (from: Parameters<Tracing['inSpan']>[1]): SpanContext | undefined =>
  trace.getSpanContext(continuedTrace(from));

/** Ends the span after the work; marks it as failed if the work throws. */
export const endSpanAfter = async <T>(span: Span, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const { name } = error as Error;
    span.setAttribute('error.type', name).setStatus({ code: SpanStatusCode.ERROR, message: name });
    throw error;
  } finally {
    span.end();
  }
};

/**
 * Runs a call to another system in a span, within a recorded trace: otherwise every poll of an idle worker
 * would create a trace.
 *
 * @param attributes only names and numbers: no text of documents or questions, no keys, no addresses with a
 * query
 */
export const inClientSpan = <T>(
  tracer: Tracer,
  name: string,
  attributes: Attributes,
  work: (span?: Span) => Promise<T>,
): Promise<T> => {
  if (trace.getActiveSpan()?.isRecording() !== true) return work();
  return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, (span) =>
    endSpanAfter(span, () => work(span)),
  );
};

/** The server's attributes, by the semantic conventions. */
export const serverOf = ({ hostname, port, protocol }: URL): Attributes => ({
  'server.address': hostname,
  'server.port': Number(port) || (protocol === 'http:' ? 80 : 443),
});
