import { streamIdOf } from '../../application/event-sourcing/event-codec.ts';
import type { Execute } from '../../application/event-sourcing/execute.ts';
import { BEGINNING, type EventFeed } from '../../application/ports/event-store.ts';
import { apiKeyStream } from '../../application/event-sourcing/streams.ts';
import { apiKey, type KeyRing } from '../../domain/api-key/decider.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';

export interface KeyRingDeps {
  readonly feed: Pick<EventFeed, 'read'>;
  readonly execute: Pick<Execute, 'load'>;
}

const EVENTS_AT_ONCE = 1_000;

/**
 * The keys of every tenant, the eldest tenant first; null where a newer version of the service has written to them. From
 * the events, for the views may be of another version or stand still.
 */
export const keyRings = async ({
  feed,
  execute,
}: KeyRingDeps): Promise<ReadonlyMap<string, KeyRing | null>> => {
  const rings = new Map<string, KeyRing | null>();
  for (const id of await tenantsOf(feed)) {
    const found = await execute.load(apiKey, apiKeyStream(id), undefined).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'unavailable') return null;
      throw error;
    });
    rings.set(id, found && found.state);
  }
  return rings;
};

const tenantsOf = async (feed: Pick<EventFeed, 'read'>): Promise<ReadonlySet<string>> => {
  const ids = new Set<string>();
  for (let after = BEGINNING; ;) {
    const { events, position } = await feed.read(after, { categories: ['apiKey'] }, EVENTS_AT_ONCE);
    for (const { stream } of events) ids.add(streamIdOf(stream));
    if (events.length < EVENTS_AT_ONCE) return ids;
    after = position;
  }
};
