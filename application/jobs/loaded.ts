import type { StreamOf } from '../../domain/shared/decider.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { DomainEvent } from '../event-sourcing/aggregates.ts';
import { readMetadata } from '../event-sourcing/event-codec.ts';
import type { Execute } from '../event-sourcing/execute.ts';
import type { Fold } from '../event-sourcing/state-cache.ts';
import type { CommandContext, EventMetadata } from '../ports/event-metadata.ts';
import type { WorkLeases } from '../ports/leases.ts';
import type { Logger } from '../ports/logger.ts';
import type { WorkHandler } from './work-handler.ts';

/** What is worked on, as its stream tells it now. */
export interface Loaded<State> {
  readonly state: State;
  readonly revision: bigint;
  /** Of the newest event, which caused whatever is done next. */
  readonly metadata: EventMetadata;
}

/** Null when there is no such stream. What it throws, `Load` says. */
export const load = async <Event extends DomainEvent, State, Category extends string>(
  execute: Pick<Execute, 'load'>,
  fold: Fold<Event, State, Category>,
  stream: StreamOf<NoInfer<Category>>,
): Promise<Loaded<State> | null> => {
  const found = await execute.load(fold, stream, undefined);
  if (found === null || found.last === null) return null;
  const { state, revision, last } = found;
  return { state, revision, metadata: { ...readMetadata(last.metadata), causationId: last.id } };
};

/** What a worker's events are stored with: the trace and correlation of the event that caused the work. */
export const workerContext = (
  { metadata }: Pick<Loaded<unknown>, 'metadata'>,
  owner: string,
  traceparent?: string,
): CommandContext => ({
  tenant: metadata.tenant,
  actor: { kind: 'worker', id: owner },
  correlationId: metadata.correlationId,
  causationId: metadata.causationId,
  ...((traceparent ?? metadata.traceparent) !== undefined && {
    traceparent: traceparent ?? metadata.traceparent ?? '',
  }),
  ...(metadata.tracestate !== undefined && { tracestate: metadata.tracestate }),
});

/** What the events of whoever looks after abandoned work are stored with. */
export const sweeperContext = (found: Pick<Loaded<unknown>, 'metadata'>, owner: string): CommandContext => ({
  ...workerContext(found, owner),
  actor: { kind: 'system', id: 'sweeper' },
});

export interface SweepDeps {
  readonly leases: Pick<WorkLeases, 'abandoned'>;
  readonly handlers: readonly WorkHandler[];
  readonly log: Logger;
}

const MOST = 100;

/** Has handlers end or requeue work that nobody does any more. Safe to run anywhere and often: they judge. */
export const sweepAbandoned = async ({ leases, handlers, log }: SweepDeps): Promise<void> => {
  for (const found of await leases.abandoned(MOST)) {
    const handler = handlers.find(({ kind }) => kind === found.kind);
    if (handler?.abandoned === undefined) continue;
    const facts = { [handler.idName]: found.id };
    await loggingFailure(log, 'an abandoned job was left', facts, handler.abandoned(found));
  }
};

/** One that cannot be read, for example because a newer version wrote to it, must not keep the others waiting. */
export const loggingFailure = async (
  log: Logger,
  message: string,
  facts: Readonly<Record<string, string>>,
  attempt: Promise<void>,
): Promise<void> => {
  await attempt.catch((error: unknown) => {
    // The view lags: the worker has reported, or somebody has asked, in the meantime.
    if (error instanceof DomainError && error.code === 'conflict') return;
    log.warn(message, { ...facts, error: (error as Error).message });
  });
};
