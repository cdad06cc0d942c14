import {
  type Attributes,
  type Context,
  context,
  createTraceState,
  isSpanContextValid,
  metrics,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Request, Response } from 'express';
import {
  formatTraceparent,
  normaliseTracestate,
  parseTraceparent,
  type TraceContext,
} from '../../domain/trace-context.ts';
import { requestContextOf } from './request-context.ts';

/** What goes into the metadata of events: W3C Trace Context. */
export interface TraceHeaders {
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

export interface RequestTrace {
  readonly headers: TraceHeaders;
  /** Runs `next` with the server span as the active one. */
  readonly run: (next: () => void) => void;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT']);

/**
 * One server span and one measurement per request, named as OpenTelemetry's semantic conventions for HTTP have it.
 * The caller's context is read by the domain's parser, so that what is stored does not depend on whether an SDK runs.
 */
export const createTracing = (): ((req: Request, res: Response) => RequestTrace) => {
  const tracer = trace.getTracer('knowledger.http');
  const durations = metrics.getMeter('knowledger.http').createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'Duration of HTTP server requests.',
    advice: {
      explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    },
  });

  return (req, res) => {
    const started = performance.now();
    const caller = parseTraceparent(headerOf(req, 'traceparent'));
    const tracestate = caller && normaliseTracestate(headerOf(req, 'tracestate'));
    const parent = caller === undefined ? ROOT_CONTEXT : remote(caller, tracestate);
    const method = METHODS.has(req.method) ? req.method : '_OTHER';
    const attributes = { 'http.request.method': method, 'url.scheme': 'http' };
    const span = tracer.startSpan(
      method,
      { kind: SpanKind.SERVER, attributes: { ...attributes, 'url.path': req.path } },
      parent,
    );
    res.once('close', () => {
      const all: Attributes = { ...attributes, 'http.response.status_code': res.statusCode };
      const { route } = requestContextOf(res);
      if (route !== undefined) all['http.route'] = route;
      durations.record((performance.now() - started) / 1000, all);
      if (span.isRecording()) finish(span, method, all);
    });
    const own = isSpanContextValid(span.spanContext());
    const traceparent = own ? traceparentOf(span, caller) : caller && formatTraceparent(caller);
    return {
      headers: { traceparent, tracestate },
      run: own ? (next) => context.with(trace.setSpan(parent, span), next) : (next) => next(),
    };
  };
};

const headerOf = (req: Request, name: string): string | undefined => {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
};

const remote = ({ traceId, parentId, sampled }: TraceContext, tracestate: string | undefined): Context =>
  trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId: parentId,
    traceFlags: sampled ? 1 : 0,
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  });

/** The random flag of the caller's trace id is passed on (Trace Context level 2); SDKs know the sampled flag only. */
const traceparentOf = (span: Span, caller: TraceContext | undefined): string => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const random = caller?.traceId === traceId && caller.random;
  return formatTraceparent({ traceId, parentId: spanId, sampled: (traceFlags & 1) === 1, random });
};

const finish = (span: Span, method: string, attributes: Attributes): void => {
  const route = attributes['http.route'];
  if (typeof route === 'string') span.updateName(`${method} ${route}`);
  span.setAttributes(attributes);
  const status = attributes['http.response.status_code'];
  if (typeof status === 'number' && status >= 500) {
    span.setAttribute('error.type', String(status));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
};
