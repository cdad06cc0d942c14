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

/** The object of the work, as folded from its stream. */
export interface Loaded<State> {
  readonly state: State;
  readonly revision: bigint;
  /** Metadata of the newest event, which causes the next command. */
  readonly metadata: EventMetadata;
}

/** Null if there is no such stream. Throws as `Load` does. */
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

/** The context of a worker's events: it continues trace and correlation of the event that caused the work. */
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

/** The context of events about abandoned work. */
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

/**
 * Lets the handlers end or requeue abandoned work. Any process may run it at any time, because the handlers decide on
 * the current state.
 */
export const sweepAbandoned = async ({ leases, handlers, log }: SweepDeps): Promise<void> => {
  for (const found of await leases.abandoned(MOST)) {
    const handler = handlers.find(({ kind }) => kind === found.kind);
    if (handler?.abandoned === undefined) continue;
    const facts = { [handler.idName]: found.id };
    await loggingFailure(log, 'abandoned job not handled', facts, handler.abandoned(found));
  }
};

/**
 * Logs a failure instead of throwing, so that one failure (for example a stream written by a newer version) does not
 * block the rest.
 */
export const loggingFailure = async (
  log: Logger,
  message: string,
  facts: Readonly<Record<string, string>>,
  attempt: Promise<void>,
): Promise<void> => {
  await attempt.catch((error: unknown) => {
    // The view lagged: the work has ended, or was claimed, in the meantime.
    if (error instanceof DomainError && error.code === 'conflict') return;
    log.warn(message, { ...facts, error: (error as Error).message });
  });
};
