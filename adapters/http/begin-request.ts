import type { Request, RequestHandler } from 'express';
import type { IdSource } from '../../application/ports/identity.ts';
import { type CorsOrigins, createCors } from './cors.ts';
import { openRequestContext } from './request-context.ts';
import { HttpProblem } from './problem.ts';
import { API_HEADERS } from './security-headers.ts';
import type { StopSignals } from './stop-steps.ts';
import { createTracing } from './tracing.ts';

export interface BeginRequestDeps {
  readonly ids: IdSource;
  readonly stop: StopSignals;
  /** Origins whose pages may read answers; none where it is not given. */
  readonly corsOrigins?: CorsOrigins | undefined;
}

/** The first thing that every request meets: its id, its trace, the headers of every answer. */
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

/** An id that is safe in headers, logs and event metadata; anything else is replaced. */
const SANE_ID = /^[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,127}$/;

const requestIdOf = (req: Request): string | undefined => {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && SANE_ID.test(given) ? given : undefined;
};

/** Percent-encoding must be UTF-8 (RFC 3986, section 2.5), and PostgreSQL keeps no NUL character. */
const mustBeReadable = (url: string): void => {
  if (!url.includes('%')) return;
  let text: string;
  try {
    text = decodeURIComponent(url);
  } catch {
    throw new HttpProblem('invalid_request', 'the URL holds percent-encoding that is not UTF-8');
  }
  if (text.includes('\0')) throw new HttpProblem('invalid_request', 'the URL holds a NUL character');
};
