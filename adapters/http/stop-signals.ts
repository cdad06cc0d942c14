import { DomainError } from '../../domain/shared/domain-error.ts';

/** How a server stops, step by step. Each signal aborts once, and none before those above it. */
export interface StopSignals {
  /** Readiness is withdrawn, and answers close their connections; everything is served as before. */
  readonly leaving: AbortSignal;
  /** Soon no connection is taken any more: streams that would last for ever end. */
  readonly draining: AbortSignal;
  /** What is under way is given up. The reason is the error to answer: 503 `unavailable`. */
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

/** What a request is told that was not answered before the end. */
export const stopping = (): DomainError =>
  new DomainError('unavailable', 'the service is stopping: try again');
