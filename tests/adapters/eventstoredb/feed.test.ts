import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEventStoreDb } from '../../../adapters/eventstoredb/eventstoredb.ts';
import {
  BEGINNING,
  type EventFilter,
  type FeedMessage,
  type NewEvent,
} from '../../../application/ports/event-store.ts';
import { notReady } from '../../support/eventstoredb/faults.ts';
import { systemEvent } from '../../support/eventstoredb/log.ts';
import { eventsOf, followUntil } from '../contracts/event-feed.ts';
import { newEvent, newStream } from '../contracts/event-store.ts';
import { IMPATIENT, type OpenStandIn, PATIENT, failureOf, openStandIn } from './open-store.ts';

describe('the feed of EventStoreDB', () => {
  let open: OpenStandIn;
  beforeEach(async () => {
    open = await openStandIn({}, PATIENT);
  });
  afterEach(() => open.close());

  const fill = async (category: string, count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      await open.store.append(newStream(category), 'none', [newEvent('A'), newEvent('B')]);
    }
  };
  const typesIn = async (filter: EventFilter): Promise<readonly string[]> =>
    (await open.feed.read(BEGINNING, filter, 100)).events.map(({ type }) => type);
  /** Another process that appends. */
  const elsewhere = () =>
    createEventStoreDb({
      connectionString: open.standIn.connectionString,
      deadlines: { ...IMPATIENT, ...PATIENT },
    });

  describe('reading', () => {
    it('leaves no call open, neither after a page that was full nor after the last', async () => {
      const text = 'x'.repeat(200_000);
      for (let more = 0; more < 20; more += 1) {
        await open.store.append(newStream('some'), 'none', [newEvent('A', { text })]);
      }
      for (const limit of [1, 3, 100]) await open.feed.read(BEGINNING, { categories: ['some'] }, limit);
      await open.feed.read(BEGINNING, { stream: newStream() }, 1);
      await open.store.readStream(newStream());
      await expect.poll(() => open.standIn.open.size).toBe(0);
    });

    it('is sent by the server only what may match by category, by type or by stream', async () => {
      await fill('many', 30);
      await fill('few', 1);
      const stream = newStream('few');
      await open.store.append(stream, 'none', [newEvent('Rare.v2')]);
      const sent = async (filter: EventFilter): Promise<number> => {
        const before = open.standIn.calls.eventsRead;
        await open.feed.read(BEGINNING, filter, 100);
        // One of them is the newest event, which tells where the log ends.
        return open.standIn.calls.eventsRead - before - 1;
      };
      expect(await sent({ categories: ['few'] })).toBe(3);
      expect(await sent({ types: ['Rare.v2'] })).toBe(1);
      expect(await sent({ stream })).toBe(1);
      expect(await sent({ types: [] })).toBe(0);
    });

    it('passes over much that does not match in bounded reads, in either direction', async () => {
      const { log } = open.standIn;
      const tenant = 'rare';
      await open.store.append(newStream(), 'none', [newEvent('First', {}, { tenant })]);
      const busy = newStream();
      for (let part = 0; part < 13; part += 1) {
        const events = Array.from({ length: 1_000 }, () => newEvent('A', {}, { tenant: 'busy' }));
        await open.store.append(busy, part === 0 ? 'none' : BigInt(part * 1_000 - 1), events as [NewEvent]);
      }
      await open.store.append(newStream(), 'none', [newEvent('Last', {}, { tenant })]);
      expect(log.records.length).toBeGreaterThan(13_000);
      const all = async (read: 'read' | 'readBack'): Promise<readonly string[][]> => {
        const pages: string[][] = [];
        for (let [from, more] = [BEGINNING, true]; more;) {
          const page = await open.feed[read](from, { tenant }, 5);
          pages.push(page.events.map(({ type }) => type));
          [from, more] = [page.position, page.more];
        }
        return pages;
      };
      expect(await all('read')).toEqual([['First'], ['Last']]);
      expect(await all('readBack')).toEqual([['Last'], ['First']]);
      const isDone = (messages: readonly FeedMessage[]) => eventsOf(messages).length === 2;
      const followed = await followUntil(open.feed, BEGINNING, { tenant }, isDone);
      expect(followed.some(({ kind }) => kind === 'checkpoint')).toBe(true);
    });

    it('takes a name as it stands: no pattern, no beginning of another', async () => {
      await open.store.append(newStream('some'), 'none', [
        newEvent('A.b'),
        newEvent('Axb'),
        newEvent('A.bc'),
      ]);
      await open.store.append(newStream('somewhat'), 'none', [newEvent('A.b')]);
      expect(await typesIn({ types: ['A.b'], categories: ['some'] })).toEqual(['A.b']);
      expect(await typesIn({ categories: ['some'] })).toEqual(['A.b', 'Axb', 'A.bc']);
    });

    it("leaves out the server's own events and what other programs keep there, and moves on over them", async () => {
      const { log } = open.standIn;
      const foreign = (part: object) => ({ ...systemEvent('Theirs'), ...part });
      await open.store.append(newStream('some'), 'none', [newEvent('Ours')]);
      log.append('$stats-127.0.0.1:2113', 'any', [systemEvent('$statsCollected')]);
      log.append('$ce-some', 'any', [{ ...systemEvent('$>'), data: Buffer.from('0@some-gone') }]);
      log.append('some-system', 'any', [systemEvent('$Custom')]);
      log.append('some-binary', 'any', [foreign({ contentType: 'application/octet-stream' })]);
      log.append('some-list', 'any', [foreign({ data: Buffer.from('[1]') })]);
      log.append('some-broken', 'any', [foreign({ data: Buffer.from('{') })]);
      expect(await typesIn({})).toEqual(['Ours']);
      expect(await typesIn({ categories: ['some'] })).toEqual(['Ours']);
      const { position } = await open.feed.read(BEGINNING, {}, 10);
      const page = await open.feed.read(position, {}, 10);
      expect(page).toEqual({ events: [], position, more: false });
      expect(position).toContain(String(log.records.at(-1)?.position));
    });

    it('refuses a position at which no record begins', async () => {
      await fill('some', 2);
      const stream = newStream('some');
      await open.store.append(stream, 'none', [newEvent()]);
      const { position } = await open.feed.read(BEGINNING, {}, 2);
      const [commit = ''] = position.split(':');
      const [before, between] = [-1n, 1n].map((by) => String(BigInt(commit) + by).padStart(20, '0'));
      const refused = { name: 'DomainError', code: 'invalid_cursor' };
      for (const none of [`${between}:${between}`, `${commit}:${before}`]) {
        for (const filter of [{}, { stream }]) {
          await expect(open.feed.read(none, filter, 1)).rejects.toMatchObject(refused);
          await expect(followUntil(open.feed, none, filter, () => true)).rejects.toMatchObject(refused);
        }
      }
      // The server was asked in a way that costs it nothing.
      expect(open.standIn.calls.readGarbage).toBe(0);
      await expect(open.feed.readBack(`${between}:${between}`, {}, 1)).rejects.toMatchObject(refused);
    });

    it.each([
      ['says nothing', { kind: 'silence' }],
      ['dies in the middle', { kind: 'cut', after: 2 }],
    ] as const)('begins again when the server %s', async (_, fate) => {
      const hasty = await openStandIn();
      const stream = newStream();
      await hasty.store.append(stream, 'none', [newEvent('A'), newEvent('B'), newEvent('C')]);
      hasty.standIn.faults.reads.push(fate);
      expect((await hasty.store.readStream(stream)).map(({ type }) => type)).toEqual(['A', 'B', 'C']);
      await hasty.close();
    });
  });

  describe('following', () => {
    it('goes on behind what it has seen after every connection died, again and again', async () => {
      const other = elsewhere();
      const stream = newStream('some');
      let next = -1n;
      const messages = await followUntil(open.feed, BEGINNING, { categories: ['some'] }, (seen) => {
        if (seen.at(-1)?.kind === 'caughtUp' && next < 4n) {
          open.standIn.network.cut();
          void other.store.append(stream, next, [newEvent('Next')]);
          next += 1n;
        }
        return eventsOf(seen).length === 5;
      });
      expect(eventsOf(messages).map(({ revision }) => revision)).toEqual([0n, 1n, 2n, 3n, 4n]);
      await other.close();
    });

    it('reads many pages over one call, and each event once', async () => {
      await fill('some', 40);
      const before = { ...open.standIn.calls };
      const isCaughtUp = (seen: readonly FeedMessage[]) => seen.at(-1)?.kind === 'caughtUp';
      const messages = await followUntil(open.feed, BEGINNING, { categories: ['some'] }, isCaughtUp, 7);
      expect(eventsOf(messages)).toHaveLength(80);
      // The end of the log before and after, and one reading of twelve pages.
      expect(open.standIn.calls.read - before.read).toBeLessThanOrEqual(3);
      await expect.poll(() => open.standIn.open.size).toBeLessThanOrEqual(1);
    });

    it('is not caught up because a page could not be read', async () => {
      const stream = newStream('some');
      await open.store.append(stream, 'none', [newEvent('A'), newEvent('B'), newEvent('C')]);
      // The end of the log is asked for, then comes the first page.
      open.standIn.faults.reads.push({ kind: 'fine' }, { kind: 'fine' }, { kind: 'refuse', with: notReady });
      const isCaughtUp = (seen: readonly FeedMessage[]) => seen.at(-1)?.kind === 'caughtUp';
      const messages = await followUntil(open.feed, BEGINNING, {}, isCaughtUp, 1);
      expect(open.standIn.faults.reads).toEqual([]);
      expect(eventsOf(messages).map(({ type }) => type)).toEqual(['A', 'B', 'C']);
    });

    it('looks for itself when the subscription says nothing', async () => {
      const looking = await openStandIn({}, { ...PATIENT, pollMs: 10 });
      looking.standIn.faults.muteSubscriptions = true;
      const { connectionString } = looking.standIn;
      const other = createEventStoreDb({ connectionString, deadlines: { ...IMPATIENT, ...PATIENT } });
      let live = false;
      const messages = await followUntil(looking.feed, BEGINNING, {}, (seen) => {
        if (!live && seen.at(-1)?.kind === 'caughtUp') {
          live = true;
          void other.store.append(newStream(), 'none', [newEvent('Theirs')]);
        }
        return eventsOf(seen).length === 1;
      });
      expect(eventsOf(messages)).toHaveLength(1);
      await other.close();
      await looking.close();
    });

    it('loses nothing when the server drops it for being slow', async () => {
      const other = elsewhere();
      open.standIn.faults.slowSubscriberFrames = 0;
      const stream = newStream('some');
      const big = (revision: bigint) =>
        other.store.append(stream, revision, [newEvent('A', { text: 'x'.repeat(200_000) })]);
      let live = false;
      const messages = await followUntil(open.feed, BEGINNING, { stream }, async (seen) => {
        if (!live && seen.at(-1)?.kind === 'caughtUp') {
          live = true;
          for (let revision = -1n; revision < 19n; revision += 1n) await big(revision);
        }
        return eventsOf(seen).length === 20;
      });
      expect(eventsOf(messages).map(({ revision }) => Number(revision))).toEqual([...Array(20).keys()]);
      await other.close();
    });

    it('leaves nothing open when it ends', async () => {
      await fill('some', 3);
      await followUntil(open.feed, BEGINNING, { categories: ['some'] }, () => true, 1);
      await followUntil(open.feed, BEGINNING, {}, (seen) => seen.at(-1)?.kind === 'caughtUp');
      const stop = new AbortController();
      const idle = open.feed.follow(BEGINNING, {}, { signal: stop.signal })[Symbol.asyncIterator]();
      for (let next = await idle.next(); next.value?.kind !== 'caughtUp';) next = await idle.next();
      const waiting = idle.next();
      await expect.poll(() => open.standIn.open.size).toBe(1);
      stop.abort();
      expect((await waiting).done).toBe(true);
      await open.close();
      await expect.poll(() => open.standIn.open.size).toBe(0);
      expect(await failureOf(open.feed.read(BEGINNING, {}, 1))).toMatchObject({
        name: 'EventStoreUnavailable',
      });
    });
  });
});
