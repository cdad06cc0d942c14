import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../support/memory/event-store.ts';
import { EventLogChanged } from '../../../../application/event-sourcing/store-health/event-log-changed.ts';
import {
  watchedEventFeed,
  watchedEventStore,
} from '../../../../application/event-sourcing/store-health/watched-event-log.ts';
import {
  BEGINNING,
  type EventStore,
  EventStoreUnavailable,
  OutcomeUnknown,
} from '../../../../application/ports/event-store.ts';
import { event, watchedStore } from './watched-store.ts';

describe('an event store under watch', () => {
  it('tells what was under way from what was not begun when it goes away', async () => {
    const { world, watch, lookAfter } = watchedStore();
    const never = () => new Promise<never>(() => {});
    const silent: EventStore = { append: never, readStream: never };
    const store = watchedEventStore(silent, watch);
    await lookAfter(0);
    const [append, read] = [store.append('a-1', 'none', [event(1)]), store.readStream('a-1')];
    const failed = [append, read].map((call) => call.catch((error: unknown) => error));
    world.answer = new Error('silent');
    await lookAfter(0, 2_500);
    expect(await failed[0]).toBeInstanceOf(OutcomeUnknown);
    expect(await failed[1]).toBeInstanceOf(EventStoreUnavailable);
    await expect(store.append('a-1', 'none', [event(1)])).rejects.toThrow(EventStoreUnavailable);
  });

  it('refuses to write to another log, whether that was known at the beginning or not', async () => {
    const { world, watch, lookAfter } = watchedStore();
    const inner = createMemoryEventStore(() => 0);
    const store = watchedEventStore(inner, watch);
    await store.append('a-1', 'none', [event(1)]);
    world.answer = new EventLogChanged('another one');
    await lookAfter(0);
    await expect(store.append('a-1', 0n, [event(2)])).rejects.toThrow(EventLogChanged);
    expect(await inner.readStream('a-1')).toHaveLength(1);
  });
});

describe('a feed under watch', () => {
  it('hands on what the log holds, and ends its followers when the log is another one', async () => {
    const { world, watch, lookAfter } = watchedStore();
    const inner = createMemoryEventStore(() => 0);
    const feed = watchedEventFeed(inner, watch);
    await inner.append('a-1', 'none', [event(1)]);
    const stop = new AbortController();
    const seen: string[] = [];
    const followed = (async () => {
      for await (const message of feed.follow(BEGINNING, {}, { signal: stop.signal })) {
        if (message.kind === 'events') seen.push(...message.events.map(({ id }) => id));
        if (message.kind !== 'caughtUp') continue;
        world.answer = new EventLogChanged('another one');
        await lookAfter(0, 4_000);
        await inner.append('a-1', 0n, [event(2)]);
      }
    })();
    await expect(followed).rejects.toThrow(EventLogChanged);
    expect(seen).toEqual([event(1).id]);
    await expect(feed.head()).rejects.toThrow(EventLogChanged);
    world.answer = null;
    await lookAfter(0);
    expect((await feed.read(BEGINNING, {}, 10)).events).toHaveLength(2);
  });
});
