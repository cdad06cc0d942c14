import { type Attributes, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import { ended } from './tracing.ts';

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
