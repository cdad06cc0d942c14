import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { eventFeedContract } from '../contracts/event-feed.ts';
import { eventStoreContract, newEvent, newStream } from '../contracts/event-store.ts';

const open = async () => {
  const store = createMemoryEventStore();
  const cut = async (...args: Parameters<typeof store.cut>): Promise<void> => store.cut(...args);
  return { store, feed: store, cut, close: async () => {} };
};

eventStoreContract('the memory adapter', open);
eventFeedContract('the memory adapter', open);

describe('the memory adapter', () => {
  it('stamps events with the given clock', async () => {
    const store = createMemoryEventStore(() => 1_234);
    const stream = newStream();
    await store.append(stream, 'none', [newEvent()]);
    expect((await store.readStream(stream))[0]?.recordedAt).toBe(1_234);
  });

  it('refuses an event id that another stream holds', async () => {
    const store = createMemoryEventStore();
    const event = newEvent();
    await store.append(newStream(), 'none', [event]);
    await expect(store.append(newStream(), 'none', [event])).rejects.toMatchObject({ name: 'InvalidEvent' });
  });
});
