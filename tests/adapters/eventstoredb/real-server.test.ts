import { EventStoreDBClient } from '@eventstore/db-client';
import { describe } from 'vitest';
import { createEventStoreDb } from '../../../adapters/eventstoredb/eventstoredb.ts';
import { eventFeedContract } from '../contracts/event-feed.ts';
import { eventStoreContract } from '../contracts/event-store.ts';

/**
 * The contracts against a server that runs somewhere, of which nothing is known but its address. Every stream and
 * category that they use is named by a new UUID; nothing is deleted, and two streams are cut.
 */
const connectionString = process.env['EVENTSTORE_TEST_URL'] ?? '';

describe.skipIf(connectionString === '')('the server of EVENTSTORE_TEST_URL', () => {
  const open = async () => {
    const opened = createEventStoreDb({ connectionString });
    const operator = EventStoreDBClient.connectionString(connectionString);
    return {
      ...opened,
      cut: async (stream: string, before: bigint) => {
        await operator.setStreamMetadata(stream, { truncateBefore: Number(before) });
      },
      close: async () => {
        await operator.dispose();
        await opened.close();
      },
    };
  };
  eventStoreContract('the EventStoreDB adapter', open);
  eventFeedContract('the EventStoreDB adapter', open);
});
