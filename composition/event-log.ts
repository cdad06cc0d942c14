import type pg from 'pg';
import { createPostgresEventFeed } from '../adapters/postgres/event-feed.ts';
import { createPostgresEventStore } from '../adapters/postgres/event-store.ts';
import { lookAtLog } from '../adapters/postgres/events/look.ts';
import { createWakeUp } from '../adapters/postgres/events/wake-up.ts';
import { LOG_IDENTITY } from '../application/event-sourcing/store-health/log-identity.ts';
import type { EventFeed, EventStore, Position } from '../application/ports/event-store.ts';
import type { LogAnswer } from '../application/ports/known-log.ts';
import type { Config } from './config/config.ts';

/** The feed of whichever store, and what is measured of it: see `PostgresEventFeed`; 0 where nothing is ever hidden. */
export type MeasuredEventFeed = EventFeed & { readonly oldestHiddenAgeMs: () => Promise<number> };

/** Where events are kept, whichever store that is. */
export interface EventLog {
  readonly store: EventStore;
  readonly feed: MeasuredEventFeed;
  /** As traces name it. */
  readonly system: 'postgresql' | 'eventstoredb';
  /**
   * What the log shows of itself now, soon, and whether it holds a place that was `seen` once.
   *
   * @throws EventStoreUnavailable when it does not answer
   */
  readonly look: (seen: Position) => Promise<LogAnswer>;
  /** Calls `listener` when the store is reached anew: it may be another one. */
  readonly onConnected: (listener: () => void) => void;
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
    const listeners: (() => void)[] = [];
    const onConnected = (): void => listeners.forEach((listener) => listener());
    const opened = createEventStoreDb({ connectionString: eventStoreUrl, onConnected });
    return {
      ...opened,
      look: async (seen) => {
        const found = await opened.look(LOG_IDENTITY);
        // What lies before the end may have been scavenged.
        return { ...found, holds: seen <= found.end };
      },
      onConnected: (listener) => void listeners.push(listener),
      system: 'eventstoredb',
    };
  }
  const wakeUp = createWakeUp({ pool, newClient });
  return {
    store: createPostgresEventStore({ pool, wakeUp }),
    feed: createPostgresEventFeed({ pool, wakeUp }),
    system: 'postgresql',
    look: (seen) => lookAtLog(pool, LOG_IDENTITY, seen),
    // A restore need not break a connection, and the pool makes new ones all the time: the looks are enough.
    onConnected: () => {},
    close: wakeUp.close,
  };
};
