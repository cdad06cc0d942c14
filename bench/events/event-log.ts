import { createDatabase, type DatabaseAddress } from '../../adapters/postgres/connection.ts';
import { createPostgresEventFeed } from '../../adapters/postgres/event-feed.ts';
import { createPostgresEventStore } from '../../adapters/postgres/event-store.ts';
import { eventStoreMigrations } from '../../adapters/postgres/events/migrations.ts';
import { createWakeUp } from '../../adapters/postgres/events/wake-up.ts';
import { migrate } from '../../adapters/postgres/migrate.ts';
import { projectionMigrations } from '../../adapters/postgres/projections/versions.ts';
import type { EventFeed, EventStore } from '../../application/ports/event-store.ts';
import { openPostgres } from '../measuring/postgres.ts';

export const POOL_SIZE = 10;

export interface EventLog {
  readonly address: DatabaseAddress;
  readonly store: EventStore;
  readonly feed: EventFeed;
}

/** An empty event log on an embedded Postgres of its own, set up as the program sets it up: every commit is on disk. */
export const openEventLog = async (
  cleanup: AsyncDisposableStack,
  settings: readonly string[] = [],
): Promise<EventLog> => {
  const connection = await openPostgres(cleanup, settings);
  const { pool, newClient, close } = createDatabase({ ...connection, poolSize: POOL_SIZE });
  cleanup.defer(close);
  await migrate(pool, [...eventStoreMigrations, ...projectionMigrations]);
  const wakeUp = createWakeUp({ pool, newClient });
  cleanup.defer(wakeUp.close);
  return {
    address: connection,
    store: createPostgresEventStore({ pool, wakeUp }),
    feed: createPostgresEventFeed({ pool, wakeUp }),
  };
};
