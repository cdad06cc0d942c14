import {
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  context,
  createContextKey,
  createTraceState,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api';
import {
  type TraceContext,
  formatTraceparent,
  normaliseTracestate,
  parseTraceparent,
} from '../../domain/trace-context.ts';

/** W3C Trace Context, as headers of requests and metadata of events. */
export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** Who sent the trace: SDKs drop the random flag of level 2, and most of what level 2 allows in `tracestate`. */
const CALLER = createContextKey('knowledger.caller');

/** A context that continues the trace of the headers; the root context if there is none, or an invalid one. */
export const continuedTrace = ({ traceparent, tracestate }: TraceHeaders): Context => {
  const parsed = parseTraceparent(traceparent);
  if (parsed === undefined) return ROOT_CONTEXT;
  const state = normaliseTracestate(tracestate);
  const caller: TraceContext = { ...parsed, ...(state !== undefined && { tracestate: state }) };
  return trace.setSpanContext(ROOT_CONTEXT.setValue(CALLER, caller), {
    traceId: caller.traceId,
    spanId: caller.parentId,
    traceFlags: caller.sampled ? 1 : 0,
    isRemote: true,
    ...(state !== undefined && { traceState: createTraceState(state) }),
  });
};

/** The headers of a context's span, with what the caller of its trace sent; empty if it has none. */
export const traceHeadersOf = (of: Context = context.active()): TraceHeaders => {
  const span = trace.getSpanContext(of);
  if (span === undefined || !isSpanContextValid(span)) return {};
  const { traceId, spanId: parentId, traceFlags } = span;
  const found = of.getValue(CALLER) as TraceContext | undefined;
  const caller = found?.traceId === traceId ? found : undefined;
  const sampled = (traceFlags & 1) === 1;
  const traceparent = formatTraceparent({ traceId, parentId, sampled, random: caller?.random === true });
  return { traceparent, ...(caller?.tracestate !== undefined && { tracestate: caller.tracestate }) };
};

/**
 * Sends a request to a provider in a client span of the active trace, so that each request has a parent id of its own.
 * The span ends with the head of the response.
 *
 * @param send gets the headers of the span; none outside of a trace
 */
export const inRequestSpan = async <T>(send: (headers: TraceHeaders) => Promise<T>): Promise<T> => {
  if (trace.getActiveSpan() === undefined) return send({});
  const tracer = trace.getTracer('knowledger.http-client');
  const span = tracer.startSpan('request', { kind: SpanKind.CLIENT });
  try {
    return await send(traceHeadersOf(trace.setSpan(context.active(), span)));
  } finally {
    span.end();
  }
};
