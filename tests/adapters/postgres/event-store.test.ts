import { createPostgresEventFeed } from '../../../adapters/postgres/event-feed.ts';
import { createPostgresEventStore } from '../../../adapters/postgres/event-store.ts';
import { eventStoreMigrations } from '../../../adapters/postgres/events/migrations.ts';
import { createWakeUp } from '../../../adapters/postgres/events/wake-up.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { eventFeedContract } from '../contracts/event-feed.ts';
import { eventStoreContract } from '../contracts/event-store.ts';

const open = async () => {
  const database = await freshDatabase(eventStoreMigrations);
  const wakeUp = createWakeUp(database);
  return {
    store: createPostgresEventStore({ pool: database.pool, wakeUp }),
    feed: createPostgresEventFeed({ pool: database.pool, wakeUp }),
    cut: async (stream: string, before: bigint) => {
      await database.pool.query('DELETE FROM es.events WHERE stream = $1 AND revision < $2', [
        stream,
        String(before),
      ]);
    },
    close: async () => {
      await wakeUp.close();
      await database.close();
    },
  };
};

eventStoreContract('the Postgres adapter', open);
eventFeedContract('the Postgres adapter', open);
