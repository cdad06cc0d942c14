import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createPostgresEventFeed } from '../../../adapters/postgres/event-feed.ts';
import { createPostgresEventStore } from '../../../adapters/postgres/event-store.ts';
import { eventStoreMigrations } from '../../../adapters/postgres/events/migrations.ts';
import { createWakeUp } from '../../../adapters/postgres/events/wake-up.ts';
import { shareFeed } from '../../../adapters/event-feed/shared-feed.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { eventFeedContract } from '../contracts/event-feed.ts';
import { openStandIn, PATIENT } from '../eventstoredb/open-store.ts';

eventFeedContract('a shared feed in memory', async () => {
  const store = createMemoryEventStore();
  return { store, feed: shareFeed(store), close: async () => {} };
});

eventFeedContract('a shared feed of Postgres', async () => {
  const database = await freshDatabase(eventStoreMigrations);
  const wakeUp = createWakeUp(database);
  return {
    store: createPostgresEventStore({ pool: database.pool, wakeUp }),
    feed: shareFeed(createPostgresEventFeed({ pool: database.pool, wakeUp })),
    close: async () => {
      await wakeUp.close();
      await database.close();
    },
  };
});

eventFeedContract('a shared feed of EventStoreDB', async () => {
  const opened = await openStandIn({}, PATIENT);
  return { ...opened, feed: shareFeed(opened.feed) };
});
