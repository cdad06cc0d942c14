import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BEGINNING,
  type EventFeed,
  type EventFilter,
  type EventStore,
  type FeedMessage,
  type Position,
  type RecordedEvent,
} from '../../../application/ports/event-store.ts';
import { type OpenStore, newEvent, newStream } from './event-store.ts';

export interface OpenFeed extends Omit<OpenStore, 'cut'> {
  readonly feed: EventFeed;
}

/** Follows until `enough` says so of all messages so far, then ends the follower as a service would: by its signal. */
export const followUntil = async (
  feed: EventFeed,
  after: Position,
  filter: EventFilter,
  enough: (messages: readonly FeedMessage[]) => boolean | Promise<boolean>,
  batchSize = 500,
): Promise<readonly FeedMessage[]> => {
  const stop = new AbortController();
  const messages: FeedMessage[] = [];
  for await (const message of feed.follow(after, filter, { signal: stop.signal, batchSize })) {
    if (stop.signal.aborted) continue;
    messages.push(message);
    if (await enough(messages)) stop.abort();
  }
  return messages;
};

export const eventsOf = (messages: readonly FeedMessage[]): readonly RecordedEvent[] =>
  messages.flatMap((message) => (message.kind === 'events' ? message.events : []));

/** The furthest position that the messages let a reader store. */
const reached = (messages: readonly FeedMessage[]): Position =>
  messages
    .map((message) => (message.kind === 'events' ? message.events.at(-1)!.position : message.position))
    .at(-1) ?? BEGINNING;

/** Every promise of the `EventFeed` port, for any adapter. The store may hold other streams. */
export const eventFeedContract = (name: string, open: () => Promise<OpenFeed>): void => {
  describe(`${name} as an event feed`, () => {
    let opened: OpenFeed;
    let store: EventStore;
    let feed: EventFeed;
    beforeAll(async () => {
      opened = await open();
      ({ store, feed } = opened);
    });
    afterAll(() => opened?.close());

    const newCategory = (): string => `c${randomUUID().replaceAll('-', '')}`;
    /** `count` appends of two events each, to as many new streams. */
    const fill = async (category: string, count: number): Promise<readonly RecordedEvent[]> => {
      const streams = Array.from({ length: count }, () => newStream(category));
      for (const stream of streams) await store.append(stream, 'none', [newEvent('A'), newEvent('B')]);
      return (await Promise.all(streams.map((stream) => store.readStream(stream)))).flat();
    };
    /** Waits until everything appended so far is in the stable part of the log. */
    const settle = async (position: Position): Promise<void> => {
      await followUntil(
        feed,
        BEGINNING,
        { stream: newStream() },
        (messages) => reached(messages) >= position,
      );
    };
    const readAll = async (filter: EventFilter, limit = 100, after = BEGINNING) => {
      const events: RecordedEvent[] = [];
      for (let page = await feed.read(after, filter, limit); ; page = await feed.read(after, filter, limit)) {
        events.push(...page.events);
        expect(page.events.length).toBeLessThanOrEqual(limit);
        if (!page.more) return events;
        expect(page.position > after).toBe(true);
        after = page.position;
      }
    };

    it('ends where its readers come to', async () => {
      const category = newCategory();
      const appended = await fill(category, 2);
      const last = appended.at(-1)!.position;
      await settle(last);
      const head = await feed.head();
      expect(head >= last).toBe(true);
      const { position } = await feed.read(last, { stream: newStream() }, 1);
      expect(position >= head).toBe(true);
      await fill(category, 1);
      await settle((await readAll({ categories: [category] })).at(-1)!.position);
      expect((await feed.head()) > last).toBe(true);
    });

    it('holds every place that it answered, and none beyond', async () => {
      const appended = await fill(newCategory(), 2);
      // Acknowledged is enough: whether it is stable already does not matter.
      for (const { position } of appended) expect(await feed.holds(position)).toBe(true);
      const beyond = appended.at(-1)!.position.replaceAll(/\d{20}/g, '00000000888888888888');
      expect(await feed.holds(beyond)).toBe(false);
      for (const text of ['abc', '1', '-1'])
        await expect(feed.holds(text)).rejects.toMatchObject({ code: 'invalid_cursor' });
    });

    describe('read back', () => {
      const readAllBack = async (filter: EventFilter, limit: number) => {
        const events: RecordedEvent[] = [];
        for (let before = BEGINNING; ;) {
          const page = await feed.readBack(before, filter, limit);
          events.push(...page.events);
          if (!page.more) return events;
          expect(before === BEGINNING || page.position < before).toBe(true);
          before = page.position;
        }
      };

      it('answers what reading answers, the last first, whatever the page size and the filter', async () => {
        const category = newCategory();
        const appended = await fill(category, 5);
        await fill(newCategory(), 1);
        await settle(appended.at(-1)!.position);
        const { stream } = appended[3]!;
        const filters = [{ categories: [category] }, { stream }, { categories: [category], types: ['B'] }];
        for (const filter of filters) {
          const forwards = await readAll(filter);
          expect(forwards.length).toBeGreaterThan(1);
          for (const limit of [1, 2, 3, 100]) {
            expect(await readAllBack(filter, limit)).toEqual(forwards.toReversed());
          }
        }
        const first = await feed.readBack(appended[0]!.position, { categories: [category] }, 5);
        expect(first.events).toEqual([]);
        expect((await feed.readBack(BEGINNING, { categories: ['nothing'] }, 5)).events).toEqual([]);
        await expect(feed.readBack('abc', {}, 5)).rejects.toMatchObject({ code: 'invalid_cursor' });
      });
    });

    describe('read', () => {
      it('pages through everything once, in position order, whatever the page size', async () => {
        const category = newCategory();
        const appended = await fill(category, 5);
        await settle(appended.at(-1)!.position);
        for (const limit of [1, 3, 10, 100]) {
          expect(await readAll({ categories: [category] }, limit)).toEqual(appended);
        }
        expect(appended.map((event) => event.position)).toEqual(
          appended.map((event) => event.position).toSorted(),
        );
      });

      it('takes `after` as exclusive', async () => {
        const category = newCategory();
        const appended = await fill(category, 3);
        await settle(appended.at(-1)!.position);
        for (const [index, event] of appended.entries()) {
          expect(await readAll({ categories: [category] }, 100, event.position)).toEqual(
            appended.slice(index + 1),
          );
        }
      });

      it('refuses a text that is no position, in a page and when followed', async () => {
        for (const text of ['1', 'zz', '00000000000000000001:', 'x'.repeat(500)]) {
          const refused = { name: 'DomainError', code: 'invalid_cursor' };
          await expect(feed.read(text, {}, 1)).rejects.toMatchObject(refused);
          await expect(followUntil(feed, text, {}, () => true)).rejects.toMatchObject(refused);
        }
      });

      it('filters by stream, category, type, tenant and time, all parts together', async () => {
        const category = newCategory();
        const other = newCategory();
        const stream = newStream(category);
        await store.append(stream, 'none', [
          newEvent('A', {}, { tenant: 'x' }),
          newEvent('B', {}, { tenant: 'y' }),
        ]);
        await store.append(newStream(other), 'none', [newEvent('A', {}, { tenant: 'x' })]);
        const last = await store.append(newStream(category), 'none', [newEvent('A'), newEvent('C')]);
        await settle(last.position);
        const types = async (filter: EventFilter) => (await readAll(filter)).map((event) => event.type);
        expect(await types({ stream })).toEqual(['A', 'B']);
        expect(await types({ stream, categories: [other] })).toEqual([]);
        expect(await types({ categories: [category] })).toEqual(['A', 'B', 'A', 'C']);
        expect(await types({ categories: [category, other], types: ['A'] })).toEqual(['A', 'A', 'A']);
        expect(await types({ categories: [category, other], tenant: 'x' })).toEqual(['A', 'A']);
        expect(await types({ categories: [category, other], tenant: 'x', types: ['B', 'C'] })).toEqual([]);
        expect(await types({ categories: [] })).toEqual([]);
      });

      it('filters by actor and by trace id, with other parts and in both directions', async () => {
        const category = newCategory();
        const actor = randomUUID();
        const traceId = randomUUID().replaceAll('-', '');
        const by = { actor: { kind: 'api_key', id: actor } };
        const traceparent = `00-${traceId}-00000000000000a1-01`;
        const last = await store.append(newStream(category), 'none', [
          newEvent('A', {}, { ...by, traceparent, tenant: 'x' }),
          newEvent('B', {}, { ...by, tenant: 'y' }),
          newEvent('C', {}, { actor: { kind: 'worker', id: 'worker' }, traceparent, tenant: 'x' }),
          newEvent('D', {}, { actor: null, traceparent: `00-${traceId.toUpperCase()}` }),
        ]);
        await settle(last.position);
        const types = async (filter: EventFilter) => {
          const found = (await readAll(filter)).map((event) => event.type);
          const { events } = await feed.readBack(BEGINNING, filter, 10);
          expect(events.map((event) => event.type)).toEqual(found.toReversed());
          return found;
        };
        expect(await types({ actor })).toEqual(['A', 'B']);
        expect(await types({ traceId })).toEqual(['A', 'C']);
        expect(await types({ actor, traceId })).toEqual(['A']);
        expect(await types({ actor, tenant: 'y' })).toEqual(['B']);
        expect(await types({ actor, types: ['B'], categories: [category] })).toEqual(['B']);
        expect(await types({ traceId, categories: [newCategory()] })).toEqual([]);
        const live = await followUntil(feed, BEGINNING, { traceId }, (seen) => eventsOf(seen).length === 2);
        expect(eventsOf(live).map((event) => event.type)).toEqual(['A', 'C']);
      });

      it('bounds the recorded time from inclusive to exclusive', async () => {
        const category = newCategory();
        const appended = await fill(category, 1);
        await settle(appended.at(-1)!.position);
        const at = appended[0]!.recordedAt;
        const count = async (filter: EventFilter) =>
          (await readAll({ categories: [category], ...filter })).length;
        expect(await count({ from: at, to: at + 60_000 })).toBe(2);
        expect(await count({ to: at })).toBe(0);
        expect(await count({ from: at + 60_000 })).toBe(0);
      });

      it('moves its position over events that do not match', async () => {
        const appended = await fill(newCategory(), 2);
        await settle(appended.at(-1)!.position);
        const page = await feed.read(BEGINNING, { categories: [newCategory()] }, 10);
        expect(page.events).toEqual([]);
        expect(page.position >= appended.at(-1)!.position).toBe(true);
      });
    });

    describe('follow', () => {
      it('delivers the past in batches, says that it caught up, then delivers what is appended live', async () => {
        const category = newCategory();
        const past = await fill(category, 4);
        const stream = newStream(category);
        let live = false;
        const messages = await followUntil(
          feed,
          BEGINNING,
          { categories: [category] },
          async (seen) => {
            if (!live && eventsOf(seen).length === 8 && seen.at(-1)?.kind === 'caughtUp') {
              live = true;
              await store.append(stream, 'none', [newEvent('Live')]);
            }
            return eventsOf(seen).length === 9 && seen.at(-1)?.kind === 'caughtUp';
          },
          3,
        );
        expect(eventsOf(messages)).toEqual([...past, ...(await store.readStream(stream))]);
        const batches = messages.map((message) => (message.kind === 'events' ? message.events.length : 0));
        expect(Math.max(...batches)).toBe(3);
      });

      it('starts after the given position', async () => {
        const category = newCategory();
        const appended = await fill(category, 3);
        const after = appended[2]!.position;
        const filter = { categories: [category] };
        const messages = await followUntil(feed, after, filter, (seen) => eventsOf(seen).length >= 3);
        expect(eventsOf(messages)).toEqual(appended.slice(3));
      });

      it('never answers a position that goes back', async () => {
        const category = newCategory();
        const appended = await fill(category, 6);
        await fill(newCategory(), 2);
        const filter = { categories: [category], types: ['B'] };
        const messages = await followUntil(feed, BEGINNING, filter, (seen) => eventsOf(seen).length === 6, 2);
        const positions = messages.map((_, index) => reached(messages.slice(0, index + 1)));
        expect(positions).toEqual(positions.toSorted());
        expect(reached(messages) >= appended.at(-1)!.position).toBe(true);
      });

      it('moves its checkpoint while nothing matches', async () => {
        const before = (await fill(newCategory(), 1)).at(-1)!.position;
        await settle(before);
        let target: Position | undefined;
        const messages = await followUntil(feed, before, { categories: [newCategory()] }, async (seen) => {
          if (seen.at(-1)?.kind === 'caughtUp' && target === undefined) {
            target = (await fill(newCategory(), 2)).at(-1)!.position;
          }
          return seen.some((message) => message.kind === 'checkpoint' && message.position >= (target ?? '~'));
        });
        expect(eventsOf(messages)).toEqual([]);
      });

      it('resumes from any position it gave, without loss and without repetition', async () => {
        const category = newCategory();
        const appended = await fill(category, 6);
        await settle(appended.at(-1)!.position);
        const filter = { categories: [category], types: ['A'] };
        let after = BEGINNING;
        const seen: RecordedEvent[] = [];
        while (seen.length < 6) {
          const messages = await followUntil(feed, after, filter, () => true, 1);
          seen.push(...eventsOf(messages));
          after = reached(messages);
        }
        expect(seen).toEqual(appended.filter((event) => event.type === 'A'));
      });

      it('ends normally when its signal aborts, before, while idle and while events are left', async () => {
        const category = newCategory();
        await fill(category, 3);
        const aborted = feed.follow(BEGINNING, {}, { signal: AbortSignal.abort() });
        for await (const message of aborted) expect.unreachable(message.kind);

        const one = await followUntil(feed, BEGINNING, { categories: [category] }, () => true, 1);
        expect(one).toHaveLength(1);

        const stop = new AbortController();
        const idle = feed.follow(BEGINNING, { categories: [category] }, { signal: stop.signal });
        const iterator = idle[Symbol.asyncIterator]();
        let next = await iterator.next();
        while (next.value?.kind !== 'caughtUp') next = await iterator.next();
        const waiting = iterator.next();
        stop.abort();
        let end = await waiting;
        while (!end.done) end = await iterator.next();
        expect(end.done).toBe(true);
      });

      it('gives many followers the same events', async () => {
        const category = newCategory();
        const stream = newStream(category);
        const followers = Array.from({ length: 10 }, () =>
          followUntil(feed, BEGINNING, { categories: [category] }, (seen) => eventsOf(seen).length === 5),
        );
        for (let index = 0; index < 5; index += 1) {
          await store.append(stream, index === 0 ? 'none' : BigInt(index - 1), [newEvent('A', { index })]);
        }
        const appended = await store.readStream(stream);
        for (const messages of await Promise.all(followers)) expect(eventsOf(messages)).toEqual(appended);
      });
    });
  });
};
