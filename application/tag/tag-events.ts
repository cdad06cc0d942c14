import { tag, type TagEvent, type Tagging } from '../../domain/tag/index.ts';
import { fold } from '../../domain/shared/decider.ts';
import { decodeKnown, type EventCodec } from '../event-codec.ts';
import type { EventStore, Position } from '../ports/event-store.ts';
import { tagStream } from '../streams.ts';

export interface TagLogDeps {
  readonly store: EventStore;
  readonly codec: EventCodec;
}

const read = async ({ store, codec }: TagLogDeps, tenant: string) =>
  (await store.readStream(tagStream(tenant))).flatMap((recorded) => {
    const event = decodeKnown(codec, recorded) as TagEvent | null;
    return event === null ? [] : [{ event, position: recorded.position }];
  });

/** The tags of a tenant as of their stream. */
export const readTagging = async (deps: TagLogDeps, tenant: string): Promise<Tagging> =>
  fold(
    tag,
    (await read(deps, tenant)).map(({ event }) => event),
    tag.initial,
  );

/**
 * The event that answered a request before, found by the id that the request had claimed: a repeated request is answered
 * as the first was, and brings nothing back that was deleted since.
 */
export const answeredBefore = async <T extends 'TagCreated' | 'TagBound'>(
  deps: TagLogDeps,
  tenant: string,
  type: T,
  id: string,
): Promise<{ readonly event: Extract<TagEvent, { type: T }>; readonly position: Position } | undefined> => {
  for (const { event, position } of await read(deps, tenant)) {
    if (event.type === type && idOf(event) === id)
      return { event: event as Extract<TagEvent, { type: T }>, position };
  }
  return undefined;
};

const idOf = (event: TagEvent): string => ('binding_id' in event ? event.binding_id : event.tag_id);
