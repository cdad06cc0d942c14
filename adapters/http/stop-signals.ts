import { DomainError } from '../../domain/shared/domain-error.ts';

/** How a server stops, step by step. Each signal aborts once, and none before those above it. */
export interface StopSignals {
  /** Readiness is withdrawn, and responses close their connections; everything is served as before. */
  readonly leaving: AbortSignal;
  /** Soon no connection is accepted: endless streams end. */
  readonly draining: AbortSignal;
  /** Work in progress is aborted. The reason is the error to send: 503 `unavailable`. */
  readonly refusing: AbortSignal;
}

export interface StopSteps extends StopSignals {
  readonly leave: () => void;
  readonly drain: () => void;
  readonly refuse: () => void;
}

export const createStopSteps = (): StopSteps => {
  const [leaving, draining, refusing] = [
    new AbortController(),
    new AbortController(),
    new AbortController(),
  ] as const;
  return {
    leaving: leaving.signal,
    draining: draining.signal,
    refusing: refusing.signal,
    leave: () => leaving.abort(stopping()),
    drain: () => draining.abort(stopping()),
    refuse: () => refusing.abort(stopping()),
  };
};

/** The error for a request that was not answered before the end. */
export const stopping = (): DomainError =>
  new DomainError('unavailable', 'the service is stopping: try again');
