import type { DomainEvent } from './domain-event.ts';
import type { EventCodec } from './event-codec.ts';
import type { CommandContext } from '../ports/event-metadata.ts';
import type { NewEvent } from '../ports/event-store.ts';
import type { IdSource } from '../ports/identity.ts';

/** Encodes the events of one command: the nth of them gets the same id each time, so that the store recognises it. */
export const createEncode = (
  { codec, ids }: { readonly codec: EventCodec; readonly ids: IdSource },
  context: CommandContext,
) => {
  const eventIds: string[] = [];
  const idOf = (i: number): string => (eventIds[i] ??= ids.newId());
  return (events: readonly DomainEvent[]): readonly NewEvent[] =>
    events.map((event, i) => codec.encode(event, idOf(i), context));
};
