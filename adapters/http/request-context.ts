import type { Response } from 'express';

/** What is known of one request from its first moment: kept with the response until the answer is out. */
export interface RequestContext {
  readonly requestId: string;
  /** W3C trace context under which everything that the request causes is recorded. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  /** Template of the matched path, for telemetry: set once it is known. */
  route: string | undefined;
}

export const openRequestContext = (res: Response, exchange: RequestContext): void => {
  res.locals['exchange'] = exchange;
};

export const requestContextOf = (res: Response): RequestContext => res.locals['exchange'] as RequestContext;
