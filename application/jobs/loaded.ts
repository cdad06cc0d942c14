import type { StreamOf } from '../../domain/shared/decider.ts';
import type { DomainEvent } from '../event-sourcing/domain-event.ts';
import { readMetadata } from '../event-sourcing/event-codec.ts';
import type { CommandContext, EventMetadata } from '../ports/event-metadata.ts';
import type { Execute } from '../event-sourcing/execute.ts';
import type { Fold } from '../event-sourcing/state-cache.ts';

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
