import { createEventStoreDb } from '../../../adapters/eventstoredb/eventstoredb.ts';
import { startStandIn } from '../../support/eventstoredb/stand-in.ts';
import { eventFeedContract } from '../contracts/event-feed.ts';
import { eventStoreContract } from '../contracts/event-store.ts';

const open = (prefix: string) => async () => {
  const standIn = await startStandIn();
  const { store, feed, close } = createEventStoreDb({ connectionString: standIn.connectionString, prefix });
  return {
    store,
    feed,
    cut: async (stream: string, before: bigint) => standIn.log.truncate(`${prefix}${stream}`, before),
    close: async () => {
      await close();
      await standIn.close();
    },
  };
};

eventStoreContract('the EventStoreDB adapter', open(''));
eventFeedContract('the EventStoreDB adapter', open(''));
eventStoreContract('the EventStoreDB adapter with a prefix of its streams', open('kb_'));
eventFeedContract('the EventStoreDB adapter with a prefix of its streams', open('kb_'));
