import type { Position } from '../ports/event-store.ts';
import type { EventMetadata } from '../ports/event-metadata.ts';
import type { DomainEvent } from './domain-event.ts';

/** A decoded event as projections see it: the newest shape, whatever version was stored. */
export interface ProjectedEvent<E extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly stream: string;
  /** Text of the stream name after its category: the aggregate's id. */
  readonly streamId: string;
  readonly revision: bigint;
  readonly position: Position;
  readonly event: E;
  readonly metadata: EventMetadata;
}

/**
 * Whether only a newer version of the program knows the type of the event. Its data are then not to be looked at; a view
 * is given such events only where it says that it takes them.
 */
export const isUnknown = ({ event }: ProjectedEvent): boolean =>
  (event as { readonly type: string }).type === 'UnknownEvent';
