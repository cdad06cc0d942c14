import type { ErrorRequestHandler, Request, Response } from 'express';
import { AnswerInProgress } from '../../application/ports/leases.ts';
import { EventLogChanged } from '../../application/event-sourcing/store-health/compare-log.ts';
import { ContentionTimeout } from '../../application/event-sourcing/back-off.ts';
import { isDamagedStream } from '../../application/ports/event-checks.ts';
import {
  AppendTooLarge,
  EventsGone,
  EventStoreUnavailable,
  ForeignEvent,
  OutcomeUnknown,
  StreamCut,
  StreamDeleted,
} from '../../application/ports/event-store.ts';
import { LogTreeChanged } from '../../application/ports/log-tree.ts';
import { IdentityProviderUnavailable } from '../../application/ports/identity-provider.ts';
import { FileStoreUnavailable } from '../../application/ports/file-store.ts';
import { isBusy, ProviderError, ProviderTimeout } from '../../application/ports/language-model.ts';
import { WorkLost } from '../../application/jobs/work-handler.ts';
import { PageUnavailable } from '../../application/sources/scrape/page-unavailable.ts';
import type { Logger } from '../../application/ports/logger.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { requestContextOf } from './begin-request.ts';
import { HttpProblem } from './problem.ts';
import { sendProblem } from './json-response.ts';
import type { StopSignals } from './stop-signals.ts';
import { ClientGone } from './stream-response.ts';

const RETRY = { 'retry-after': '1' };
/** Retry-After for a provider that is busy and does not say for how long. */
const BUSY_MS = 5_000;

const retryAfter = (ms: number): Readonly<Record<string, string>> => ({
  'retry-after': String(Math.ceil((ms > 0 ? ms : BUSY_MS) / 1_000)),
});

/** The problem that an error means; undefined for an unexpected error. */
export const problemOf = (error: unknown): HttpProblem | undefined => {
  if (error instanceof HttpProblem) return error;
  if (error instanceof DomainError) {
    const passes = error.code === 'unavailable' || error instanceof AnswerInProgress;
    return new HttpProblem(error.code, error.message, passes ? RETRY : {});
  }
  if (error instanceof ContentionTimeout) {
    return new HttpProblem('unavailable', `nothing was changed: ${error.message}: try again`, RETRY);
  }
  if (error instanceof EventLogChanged) {
    return new HttpProblem(
      'event_log_changed',
      'the event log has been replaced by another one: ask the operator',
      RETRY,
    );
  }
  if (error instanceof EventStoreUnavailable || error instanceof OutcomeUnknown) {
    return away('event store', error instanceof EventStoreUnavailable && error.reason === 'full');
  }
  if (error instanceof FileStoreUnavailable) {
    return away('file store', error.reason === 'full');
  }
  if (error instanceof WorkLost) {
    return new HttpProblem('unavailable', 'this took longer than its place was held: try again', RETRY);
  }
  if (error instanceof IdentityProviderUnavailable)
    return new HttpProblem('unavailable', error.message, RETRY);
  if (error instanceof PageUnavailable)
    return new HttpProblem(error.late ? 'provider_timeout' : 'provider_error', error.message);
  if (error instanceof ProviderTimeout) return new HttpProblem('provider_timeout', error.message);
  if (isBusy(error)) return new HttpProblem('rate_limited', error.message, retryAfter(error.retryAfterMs));
  if (error instanceof ProviderError) return new HttpProblem('provider_error', error.message);
  if (error instanceof AppendTooLarge) {
    return new HttpProblem('payload_too_large', 'the request is too large to be recorded');
  }
  return tamperedWith(error) ?? refusedByExpress(error);
};

const away = (store: string, isFull: boolean): HttpProblem =>
  new HttpProblem(
    'unavailable',
    isFull ? `the disk of the ${store} is full: ask the operator` : `the ${store} does not answer: try again`,
    RETRY,
  );

/** Changes to a stream by another program: repeating the request does not help. */
const tamperedWith = (error: unknown): HttpProblem | undefined => {
  if (error instanceof StreamDeleted) {
    return new HttpProblem(
      'not_found',
      'this was deleted permanently in the event store, outside of this service',
    );
  }
  if (error instanceof StreamCut) {
    return new HttpProblem(
      'history_damaged',
      'events of this were removed in the event store, so its state is unknown: ask the operator',
    );
  }
  if (error instanceof LogTreeChanged) {
    return new HttpProblem(
      'history_damaged',
      'the event log is not the one that was signed: ask the operator, who can have it verified',
    );
  }
  if (error instanceof EventsGone) {
    return new HttpProblem(
      'history_damaged',
      'this was done before, and its events were deleted in the event store since',
    );
  }
  if (error instanceof ForeignEvent) {
    return new HttpProblem(
      'history_damaged',
      'another program wrote to this in the event store, so its state is unknown: ask the operator',
    );
  }
  return undefined;
};

/** Errors of Express and its parsers, recognised by the properties that http-errors sets. */
const refusedByExpress = (error: unknown): HttpProblem | undefined => {
  const { status, expose } = (error ?? {}) as { status?: unknown; expose?: unknown };
  if (expose !== true || typeof status !== 'number' || status < 400 || status > 499) return undefined;
  if (status === 416) return new HttpProblem('range_not_satisfiable', 'the file is shorter than this range');
  return new HttpProblem('invalid_request', 'the URL or a header of this request cannot be read or met');
};

interface ErrorResponderDeps {
  readonly log: Logger;
  readonly isTransient?: (error: unknown) => boolean;
  readonly stop: StopSignals;
}

/** Maps an error to a problem. An unexpected error is logged, and the client only gets the request id. */
export type ProblemFor = (error: unknown, req: Pick<Request, 'method'>, res: Response) => HttpProblem;

export const createProblemFor = ({
  log,
  isTransient = () => false,
}: Pick<ErrorResponderDeps, 'log' | 'isTransient'>): ProblemFor => {
  const withoutViews = (error: unknown): HttpProblem | undefined => {
    if (!isTransient(error)) return undefined;
    log.warn('the read models do not answer', { error: (error as Error).message });
    return new HttpProblem('unavailable', 'the read models do not answer: try again', RETRY);
  };
  return (error, { method }, res) => {
    if (isDamagedStream(error))
      log.error('a stream of the event store was tampered with', { error: error.message });
    return problemOf(error) ?? withoutViews(error) ?? unforeseen(error, method, res, log);
  };
};

/** Answers every error with the error envelope. */
export const createErrorResponder = (deps: ErrorResponderDeps): ErrorRequestHandler => {
  const { log, stop } = deps;
  const problemFor = createProblemFor(deps);
  return (error: unknown, req, res, _next) => {
    // The server has answered it meanwhile.
    if (res.writableEnded && stop.refusing.aborted) return;
    if (error instanceof ClientGone) {
      const { requestId, route } = requestContextOf(res);
      log.info('the client has gone', { request_id: requestId, method: req.method, route });
      res.destroy();
      return;
    }
    const problem = problemFor(error, req, res);
    if (res.headersSent) {
      // Cutting the body is the only way left to show that it is incomplete.
      res.destroy();
      return;
    }
    sendProblem(res, problem);
  };
};

const unforeseen = (error: unknown, method: string, res: Response, log: Logger): HttpProblem => {
  const { requestId, route } = requestContextOf(res);
  log.error('request failed', {
    request_id: requestId,
    method,
    route,
    error: error instanceof Error ? error.name : typeof error,
    message: error instanceof Error ? error.message : undefined,
    stack: error instanceof Error ? error.stack : undefined,
  });
  return new HttpProblem('internal_error', `an internal error occurred; the request id is ${requestId}`);
};
