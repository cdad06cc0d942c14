import { afterEach, describe, expect, it } from 'vitest';
import { shareFeed, type SharedFeedOptions } from '../../../adapters/event-feed/shared-feed.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import {
  BEGINNING,
  type EventFeed,
  type EventFilter,
  type FeedMessage,
  type Position,
} from '../../../application/ports/event-store.ts';
import { newEvent, newStream } from '../contracts/event-store.ts';

let stop = new AbortController();
afterEach(() => {
  stop.abort();
  stop = new AbortController();
});

/** A log of so many streams of one event in each of two categories, and a feed that counts what is read of it. */
const openLog = async (streams: number, options: SharedFeedOptions = {}) => {
  const store = createMemoryEventStore();
  const write = async () => {
    for (const category of ['a', 'b']) await store.append(newStream(category), 'none', [newEvent()]);
  };
  for (let n = 0; n < streams; n += 1) await write();
  const counts = { readings: 0, events: 0 };
  let broken = false;
  const counted: EventFeed = {
    ...store,
    follow: async function* counting(after, filter, given) {
      if (filter.categories?.length !== 0) counts.readings += 1;
      for await (const message of store.follow(after, filter, { ...given, batchSize: 4 })) {
        if (broken) {
          broken = false;
          throw new Error('the reading broke');
        }
        if (message.kind === 'events') counts.events += message.events.length;
        yield message;
      }
    },
  };
  const feed = shareFeed(counted, options);
  return { store, write, counts, feed, end: () => feed.head(), breakReading: () => (broken = true) };
};

/** A reader that goes on when it is told to. */
const reader = (feed: EventFeed, filter: EventFilter = {}, after: Position = BEGINNING) => {
  const messages = feed.follow(after, filter, { signal: stop.signal })[Symbol.asyncIterator]();
  const seen: string[] = [];
  let at = after;
  const step = async (): Promise<FeedMessage> => {
    const { value } = (await messages.next()) as { value: FeedMessage };
    if (value.kind === 'events') seen.push(...value.events.map(({ position }) => position));
    at = value.position;
    return value;
  };
  return {
    seen,
    at: () => at,
    step,
    to: async (position: Position): Promise<void> => {
      const isBehind = (): boolean => at < position;
      while (isBehind()) await step();
    },
    caughtUp: async (): Promise<void> => {
      while ((await step()).kind !== 'caughtUp');
    },
    leave: async (): Promise<void> => {
      await messages.return?.();
    },
  };
};

describe('followers of a shared feed', () => {
  it('read the log once for all that begin at the same place, each its own events', async () => {
    const { feed, counts, store } = await openLog(50);
    const readers = ['a', 'b', 'a', 'b'].map((category) => reader(feed, { categories: [category] }));
    await Promise.all(readers.map(({ caughtUp }) => caughtUp()));
    expect(counts).toEqual({ readings: 1, events: 100 });
    for (const [index, { seen }] of readers.entries()) {
      const { events } = await store.read(BEGINNING, { categories: [index % 2 === 0 ? 'a' : 'b'] }, 100);
      expect(seen).toEqual(events.map(({ position }) => position));
    }
  });

  it('are given what is appended by one reading, at whatever pace they take it', async () => {
    const { feed, counts, write, end } = await openLog(3);
    const readers = Array.from({ length: 9 }, () => reader(feed));
    await Promise.all(readers.map(({ caughtUp }) => caughtUp()));
    for (let n = 0; n < 5; n += 1) {
      await write();
      const position = await end();
      await Promise.all(readers.slice(n).map(({ to }) => to(position)));
    }
    const position = await end();
    await Promise.all(readers.map(({ to }) => to(position)));
    expect(counts).toEqual({ readings: 1, events: 16 });
    for (const { seen } of readers) expect(seen).toEqual(readers[0]!.seen);
    expect(new Set(readers[0]!.seen).size).toBe(16);
  });

  it('wait in the past for the one that is slowest, so that it reads nothing again', async () => {
    const { feed, counts } = await openLog(50, { maxEvents: 10 });
    const [slow, fast] = [reader(feed), reader(feed)];
    await slow.step();
    const ahead = fast.caughtUp();
    const before = slow.at();
    // Four taken by both, and what memory is there for; no further while the slow one stands.
    while (counts.events < 16) await new Promise(setImmediate);
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    expect([counts.events, slow.at()]).toEqual([16, before]);
    await Promise.all([ahead, slow.caughtUp()]);
    expect([slow.seen, counts]).toEqual([fast.seen, { readings: 1, events: 100 }]);
  });

  it('leave one behind that does not move, which then reads for itself and comes back to the others', async () => {
    const { feed, counts, write, end } = await openLog(50, { maxEvents: 10, maxWaitMs: 1 });
    const [slow, fast] = [reader(feed), reader(feed)];
    await slow.step();
    await fast.caughtUp();
    expect(counts).toEqual({ readings: 1, events: 100 });
    await slow.caughtUp();
    expect([slow.seen, counts.readings]).toEqual([fast.seen, 2]);
    const { events } = counts;
    await write();
    const position = await end();
    await Promise.all([slow.to(position), fast.to(position)]);
    // The first may still have been on its way by both: from here on they are one.
    await write();
    const next = await end();
    await Promise.all([slow.to(next), fast.to(next)]);
    expect(counts.events - events).toBeLessThanOrEqual(6);
    expect(slow.seen).toEqual(fast.seen);
  });

  it('never wait for anybody once they have caught up', async () => {
    const { feed, write, end } = await openLog(1, { maxEvents: 4 });
    const [slow, fast] = [reader(feed), reader(feed)];
    await Promise.all([slow.caughtUp(), fast.caughtUp()]);
    for (let n = 0; n < 20; n += 1) {
      await write();
      await fast.to(await end());
    }
    await slow.to(await end());
    expect(slow.seen).toEqual(fast.seen);
    expect(new Set(slow.seen).size).toBe(42);
  });

  it('are not held up by one that has gone', async () => {
    const { feed, counts } = await openLog(50, { maxEvents: 10 });
    const [gone, fast] = [reader(feed), reader(feed)];
    await gone.step();
    const ahead = fast.caughtUp();
    await gone.leave();
    await ahead;
    expect([fast.seen.length, counts.readings]).toEqual([100, 1]);
  });

  it('are not told that they have caught up because others were told so before they came', async () => {
    const { feed, write } = await openLog(3);
    const first = reader(feed);
    await first.caughtUp();
    await write();
    const second = reader(feed, {}, first.at());
    expect((await second.step()).kind).toBe('events');
    await second.caughtUp();
    expect(second.seen).toHaveLength(2);
  });

  it('all learn that a reading broke, and begin another where they stand', async () => {
    const { feed, breakReading, counts } = await openLog(3);
    const readers = [reader(feed), reader(feed)];
    await readers[0]!.step();
    breakReading();
    await expect(readers[0]!.caughtUp()).rejects.toThrow('broke');
    // It takes what is there, and needs no more of that reading.
    await readers[1]!.caughtUp();
    const again = reader(feed, {}, readers[0]!.at());
    await again.caughtUp();
    expect([...readers[0]!.seen, ...again.seen]).toEqual(readers[1]!.seen);
    expect(counts.readings).toBe(2);
  });

  it('are refused at a place that is none, though it lies between places that others came by', async () => {
    const { feed } = await openLog(3);
    await reader(feed).caughtUp();
    const refused = reader(feed, {}, '00000000000000000001:').step();
    await expect(refused).rejects.toMatchObject({ code: 'invalid_cursor' });
  });

  it('read for themselves what is not read for all', async () => {
    const { feed, counts } = await openLog(5, { categories: ['a'] });
    const [ours, other, all] = [
      reader(feed, { categories: ['a'] }),
      reader(feed, { categories: ['b'] }),
      reader(feed),
    ];
    await Promise.all([ours, other, all].map(({ caughtUp }) => caughtUp()));
    expect([ours.seen.length, other.seen.length, all.seen.length]).toEqual([5, 5, 10]);
    expect(counts.readings).toBe(3);
  });
});
