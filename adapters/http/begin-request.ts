import type { IdSource } from '../../application/ports/identity.ts';
import { formatTraceparent, normaliseTracestate, parseTraceparent } from '../../domain/trace-context.ts';
import { type TraceHeaders, continuedTrace, traceHeadersOf } from '../http-client/trace-headers.ts';
import { type CorsOrigins, createCors } from './cors.ts';
import { HttpProblem } from './problem.ts';
import { API_HEADERS } from './request-headers.ts';
import type { StopSignals } from './stop-signals.ts';
import {
  type Attributes,
  type Span,
  SpanKind,
  SpanStatusCode,
  context,
  metrics,
  trace,
} from '@opentelemetry/api';
import type { Request, RequestHandler, Response } from 'express';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

interface BeginRequestDeps {
  readonly ids: IdSource;
  readonly stop: StopSignals;
  /** Origins whose pages may read responses. Default: none. */
  readonly corsOrigins?: CorsOrigins | undefined;
}

/** The first handler of every request: sets its id, its trace, and the common response headers. */
export const createBeginRequest = ({ ids, stop, corsOrigins = [] }: BeginRequestDeps): RequestHandler => {
  const traced = createTracing();
  const answeredPreflight = createCors(corsOrigins);
  return (req, res, next) => {
    for (const [name, value] of API_HEADERS) res.setHeader(name, value);
    const requestId = requestIdOf(req) ?? ids.newId();
    res.setHeader('x-request-id', requestId);
    if (stop.leaving.aborted) res.setHeader('connection', 'close');
    const { headers, run } = traced(req, res);
    openRequestContext(res, { requestId, ...headers, route: undefined });
    run(() => {
      if (answeredPreflight(req, res)) return;
      mustBeReadable(req.url);
      next();
    });
  };
};

/** An id that is safe in headers, logs and event metadata; any other id is replaced. */
const SANE_ID = /^[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,127}$/;

const requestIdOf = (req: Request): string | undefined => {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && SANE_ID.test(given) ? given : undefined;
};

/** Percent-encoding must be UTF-8 (RFC 3986, section 2.5), and PostgreSQL stores no NUL character. */
const mustBeReadable = (url: string): void => {
  if (!url.includes('%')) return;
  let text: string;
  try {
    text = decodeURIComponent(url);
  } catch {
    throw new HttpProblem('invalid_request', 'the URL contains percent-encoding that is not UTF-8');
  }
  if (text.includes('\0')) throw new HttpProblem('invalid_request', 'the URL contains a NUL character');
};

const EXEMPT = new WeakSet<IncomingMessage>();

/** Exempts a request from the arrival time limit: its reader enforces another one. */
export const exemptFromArrivalLimit = (req: IncomingMessage): void => {
  EXEMPT.add(req);
};

/**
 * Aborts requests that have not arrived completely after `ms`, as Node does with its longest limit: through
 * `clientError`, with the same code.
 */
export const watchArrivalTimes = (server: Server, ms: number): void => {
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    const giveUp = (): void => {
      if (req.complete || EXEMPT.has(req)) return;
      const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', late, req.socket);
    };
    const timer = setTimeout(giveUp, ms);
    const over = (): void => clearTimeout(timer);
    req.once('end', over);
    res.once('close', over);
  });
};

/** Aborts when the client disconnects before the response: work that has not begun is then skipped. */
export const disconnectSignal = (res: Response): AbortSignal => {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  return gone.signal;
};

/** The context of one request, with the trace of everything that it causes; stored with the response until it is sent. */
interface RequestContext extends TraceHeaders {
  readonly requestId: string;
  /** Template of the matched path, for telemetry; set once it is known. */
  route: string | undefined;
}

const openRequestContext = (res: Response, exchange: RequestContext): void => {
  res.locals['exchange'] = exchange;
};

export const requestContextOf = (res: Response): RequestContext => res.locals['exchange'] as RequestContext;

interface RequestTrace {
  /** For the metadata of events. */
  readonly headers: TraceHeaders;
  /** Runs `next` with the server span as the active one. */
  readonly run: (next: () => void) => void;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'CONNECT']);

/**
 * One server span and one measurement per request, named by OpenTelemetry's semantic conventions for HTTP. The domain's
 * parser reads the caller's context, so that stored data do not depend on whether an SDK runs.
 */
const createTracing = (): ((req: Request, res: Response) => RequestTrace) => {
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
    const given = givenTrace(req);
    const parent = continuedTrace(given);
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
    const active = trace.setSpan(parent, span);
    const own = traceHeadersOf(active);
    return own.traceparent === undefined
      ? { headers: given, run: (next) => next() }
      : { headers: own, run: (next) => context.with(active, next) };
  };
};

const headerOf = (req: Request, name: string): string | undefined => {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
};

/** The trace of the caller as it is stored; empty if it sent none that is valid. */
const givenTrace = (req: Request): TraceHeaders => {
  const caller = parseTraceparent(headerOf(req, 'traceparent'));
  if (caller === undefined) return {};
  const tracestate = normaliseTracestate(headerOf(req, 'tracestate'));
  return { traceparent: formatTraceparent(caller), ...(tracestate !== undefined && { tracestate }) };
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
