import type { Tracing } from '../../application/ports/logger.ts';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  propagation,
  trace,
} from '@opentelemetry/api';

/** OpenTelemetry behind the tracing port. Without a started SDK it runs the work and nothing else. */
export const createTracing = (): Tracing => {
  const tracer = trace.getTracer('knowledger');
  return {
    inSpan: async (name, from, attributes, work) => {
      const remote = propagation.extract(ROOT_CONTEXT, from, defaultTextMapGetter);
      const caused = trace.getSpanContext(remote);
      const links = caused === undefined ? [] : [{ context: caused }];
      return tracer.startActiveSpan(name, { kind: SpanKind.CONSUMER, attributes, links }, remote, (span) =>
        ended(span, () => work(traceparent())),
      );
    },
  };
};

/** The span that the headers of an event name; undefined where they name none, or tracing is off. */
export const callerOf = (from: Parameters<Tracing['inSpan']>[1]): SpanContext | undefined =>
  trace.getSpanContext(propagation.extract(ROOT_CONTEXT, from, defaultTextMapGetter));

/** The W3C header of the span that is active now. */
const traceparent = (): string | undefined => {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier, defaultTextMapSetter);
  return carrier.traceparent;
};

/** Ends the span with the work, marked as failed when it throws. */
export const ended = async <T>(span: Span, work: () => Promise<T>): Promise<T> => {
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
 * Runs a call of somebody else in a span of its own, within a trace that is recorded: the look-outs of idle workers
 * would otherwise make a trace each.
 *
 * @param attributes names and numbers alone: no text of documents or questions, no keys, no addresses with a query
 */
export const inClientSpan = <T>(
  tracer: Tracer,
  name: string,
  attributes: Attributes,
  work: (span?: Span) => Promise<T>,
): Promise<T> => {
  if (trace.getActiveSpan()?.isRecording() !== true) return work();
  return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, (span) =>
    ended(span, () => work(span)),
  );
};

/** As the semantic conventions name who was asked. */
export const serverOf = ({ hostname, port, protocol }: URL): Attributes => ({
  'server.address': hostname,
  'server.port': Number(port) || (protocol === 'http:' ? 80 : 443),
});
