import type { StreamOf } from '../../domain/shared/decider.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { DomainEvent } from './domain-event.ts';
import { decodeKnown, type EventCodec, readMetadata } from './event-codec.ts';
import type { EventStreams, RecordedEvent } from '../ports/event-store.ts';
import type { Fold } from './fold.ts';

/** An event of a stream, and how it was stored. */
export interface PastEvent<Event> {
  readonly event: Event;
  readonly recorded: RecordedEvent;
}

/** Revisions from `from` on, `limit` of them at most. */
export interface Range {
  readonly from: bigint;
  readonly limit: number;
}

export interface ReadHistory {
  /**
   * The events of a stream in revision order, or those of a range; none where the tenant has no such stream. For whoever
   * needs what happened: what came of it, `Load` answers at less cost.
   *
   * @throws DomainError unavailable when a newer version of the service has written one of them
   * @throws EventStoreUnavailable
   */
  <Event extends DomainEvent, State, Category extends string>(
    of: Fold<Event, State, Category>,
    stream: StreamOf<NoInfer<Category>>,
    tenant: string,
    range?: Range,
  ): Promise<readonly PastEvent<Event>[]>;
}

export interface HistoryDeps {
  readonly store: Pick<EventStreams, 'readStream'>;
  readonly codec: EventCodec;
}

export const createHistory =
  ({ store, codec }: HistoryDeps): ReadHistory =>
  async <Event extends DomainEvent, State>(
    _: Fold<Event, State>,
    stream: string,
    tenant: string,
    range?: Range,
  ) => {
    const recorded = await store.readStream(stream, range?.from, range?.limit);
    const [first] = recorded;
    if (first === undefined || readMetadata(first.metadata).tenant !== tenant) return [];
    return recorded.map((one) => ({ event: understood(codec, one) as Event, recorded: one }));
  };

/** What a newer version has written may forbid what this one would decide. @throws DomainError unavailable */
export const understood = (codec: EventCodec, recorded: RecordedEvent): DomainEvent => {
  const event = decodeKnown(codec, recorded);
  if (event !== null) return event;
  const message = `it was written to by a newer version of the service (${recorded.type}): ask that one`;
  throw new DomainError('unavailable', message);
};
