import type pg from 'pg';
import { createPostgresEventFeed } from '../adapters/postgres/event-feed.ts';
import { createPostgresEventStore } from '../adapters/postgres/event-store.ts';
import { createWakeUp } from '../adapters/postgres/events/wake-up.ts';
import type { EventFeed, EventStore } from '../application/ports/event-store.ts';
import type { Config } from './config.ts';

/** The feed of whichever store, and what is measured of it: see `PostgresEventFeed`; 0 where nothing is ever hidden. */
export type MeasuredEventFeed = EventFeed & { readonly oldestHiddenAgeMs: () => Promise<number> };

/** Where events are kept, whichever store that is. */
export interface EventLog {
  readonly store: EventStore;
  readonly feed: MeasuredEventFeed;
  /** As traces name it. */
  readonly system: 'postgresql' | 'eventstoredb';
  /** Null when the store answers, else why not, in a few words; null as well where the database tells it all. */
  readonly probe: () => Promise<string | null>;
  readonly close: () => Promise<void>;
}

/** The log in EventStoreDB where that is configured, else in the database. */
export const openEventLog = async (
  { eventStoreUrl }: Pick<Config, 'eventStoreUrl'>,
  { pool, newClient }: { readonly pool: pg.Pool; readonly newClient: () => pg.Client },
): Promise<EventLog> => {
  if (eventStoreUrl !== undefined) {
    // Its client is large, and most starts do without.
    const { createEventStoreDb } = await import('../adapters/eventstoredb/eventstoredb.ts');
    return { ...createEventStoreDb({ connectionString: eventStoreUrl }), system: 'eventstoredb' };
  }
  const wakeUp = createWakeUp({ pool, newClient });
  return {
    store: createPostgresEventStore({ pool, wakeUp }),
    feed: createPostgresEventFeed({ pool, wakeUp }),
    system: 'postgresql',
    probe: async () => null,
    close: wakeUp.close,
  };
};
