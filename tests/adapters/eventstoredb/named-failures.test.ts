import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_REVISION } from '../../../application/ports/event-checks.ts';
import { createEventStoreDb } from '../../../adapters/eventstoredb/eventstoredb.ts';
import {
  BEGINNING,
  type EventFilter,
  EventsGone,
  type FeedMessage,
  ForeignEvent,
  InvalidEvent,
  StreamCut,
  StreamDeleted,
} from '../../../application/ports/event-store.ts';
import { systemEvent } from '../../support/eventstoredb/log.ts';
import { newEvent, newStream } from '../contracts/event-store.ts';
import { type OpenStandIn, PATIENT, failureOf, openStandIn } from './open-store.ts';

describe('what an operator or another program did to a stream', () => {
  let open: OpenStandIn;
  beforeEach(async () => {
    open = await openStandIn({}, PATIENT);
  });
  afterEach(() => open.close());

  const written = async (...types: readonly string[]) => {
    const stream = newStream();
    const events = types.map((type) => newEvent(type)) as [ReturnType<typeof newEvent>];
    const result = await open.store.append(stream, 'none', events);
    return { stream, events, ...result };
  };
  /** All that a follower says until it ends by itself. */
  const followed = async (filter: EventFilter): Promise<readonly FeedMessage[]> => {
    const messages: FeedMessage[] = [];
    const { signal } = new AbortController();
    for await (const message of open.feed.follow(BEGINNING, filter, { signal })) messages.push(message);
    return messages;
  };

  describe('a stream that is deleted for ever', () => {
    it('is named by every call that asks for it, once and without a retry', async () => {
      const { stream } = await written('A');
      open.standIn.log.tombstone(stream);
      const calls: readonly (() => Promise<unknown>)[] = [
        () => open.store.append(stream, 0n, [newEvent()]),
        () => open.store.readStream(stream),
        () => open.feed.read(BEGINNING, { stream }, 10),
        () => open.feed.readBack(BEGINNING, { stream }, 10),
      ];
      for (const call of calls) {
        const refused = await failureOf(call());
        expect(refused).toBeInstanceOf(StreamDeleted);
        expect(refused).toMatchObject({ stream });
      }
      expect(open.standIn.calls.append).toBe(2);
    });

    it('ends its followers, as nothing can come any more', async () => {
      const { stream } = await written('A');
      open.standIn.log.tombstone(stream);
      expect(await followed({ stream })).toEqual([]);
    });

    it('ends a follower that has seen its events, after the last of them', async () => {
      const { stream } = await written('A', 'B');
      const seen: string[] = [];
      const { signal } = new AbortController();
      for await (const message of open.feed.follow(BEGINNING, { stream }, { signal })) {
        if (message.kind === 'events') seen.push(...message.events.map(({ type }) => type));
        if (message.kind !== 'caughtUp') continue;
        open.standIn.log.tombstone(stream);
        await written('Elsewhere');
      }
      expect(seen).toEqual(['A', 'B']);
    });

    it('is passed over by followers of everything', async () => {
      const { stream } = await written('A');
      open.standIn.log.tombstone(stream);
      const { events } = await open.feed.read(BEGINNING, { categories: ['contract'] }, 10);
      expect(events.map(({ type }) => type)).toEqual(['A']);
    });
  });

  describe('a repetition whose events are gone', () => {
    it('is named as such after a soft deletion', async () => {
      const { stream, events } = await written('A', 'B');
      open.standIn.log.softDelete(stream);
      expect(await failureOf(open.store.append(stream, 'none', events))).toBeInstanceOf(EventsGone);
      expect(open.standIn.log.stream(stream)).toHaveLength(2);
    });

    it('is named as such where later events are there still', async () => {
      const { stream, events } = await written('A');
      await open.store.append(stream, 0n, [newEvent('B')]);
      open.standIn.log.truncate(stream, 1n);
      expect(await failureOf(open.store.append(stream, 'none', events))).toBeInstanceOf(EventsGone);
    });

    it('is answered where the last of them is there still', async () => {
      const { stream, events, revision, position } = await written('A', 'B', 'C');
      open.standIn.log.truncate(stream, 2n);
      open.standIn.faults.appends.push({ kind: 'noPosition' });
      expect(await open.store.append(stream, 'none', events)).toEqual({ revision, position });
    });

    it('is told from other events, which went behind those that a soft deletion removed', async () => {
      const { stream } = await written('A', 'B');
      open.standIn.log.softDelete(stream);
      expect(await failureOf(open.store.append(stream, 'none', [newEvent('C')]))).toBeInstanceOf(StreamCut);
    });
  });

  it('is undone for every reader where a rule that hides events is taken away in time', async () => {
    const { stream } = await written('A', 'B');
    open.standIn.log.truncate(stream, 1n);
    expect(await failureOf(open.store.readStream(stream))).toBeInstanceOf(StreamCut);
    open.standIn.log.truncate(stream, 0n);
    expect(await open.store.readStream(stream)).toHaveLength(2);
    expect(await open.store.append(stream, 1n, [newEvent('C')])).toMatchObject({ revision: 2n });
  });

  describe('a stream that was cut to nothing', () => {
    const cuts = [
      ['softly deleted', (stream: string) => open.standIn.log.softDelete(stream)],
      ['aged out', (stream: string) => open.standIn.log.truncate(stream, 2n)],
    ] as const;
    it.each(cuts)(
      'is no stream that never existed, for whoever has seen it and who has not: %s',
      async (_, cut) => {
        const { stream } = await written('A', 'B');
        const other = createEventStoreDb({ connectionString: open.standIn.connectionString });
        cut(stream);
        for (const { store } of [open, other]) {
          const before = open.standIn.calls.read;
          expect(await failureOf(store.readStream(stream))).toBeInstanceOf(StreamCut);
          expect(open.standIn.calls.read - before).toBe(2);
        }
        await other.close();
      },
    );
  });

  describe('a stream to which another program wrote', () => {
    const foreign = [
      ['binary data', { contentType: 'application/octet-stream', data: Buffer.from([1, 2]) }],
      ['no JSON object', { data: Buffer.from('[1]') }],
      ['broken JSON', { data: Buffer.from('{') }],
      ["one of the server's own events", { type: '$Custom' }],
    ] as const;
    it.each(foreign)('is refused whole, by its revision: %s', async (_, part) => {
      const { stream } = await written('A', 'B');
      open.standIn.log.append(stream, 'any', [{ ...systemEvent('Theirs'), ...part }]);
      const refused = await failureOf(open.store.readStream(stream));
      expect(refused).toBeInstanceOf(ForeignEvent);
      expect(refused).toMatchObject({ stream, revision: 2n });
      // Nothing can be decided on it, so nothing is appended behind what is shown of it either.
      expect(await failureOf(open.store.append(stream, 1n, [newEvent()]))).toBeInstanceOf(ForeignEvent);
    });

    it('is read up to the foreign event by who asks for no more', async () => {
      const { stream } = await written('A', 'B');
      open.standIn.log.append(stream, 'any', [{ ...systemEvent('Theirs'), data: Buffer.from('1') }]);
      expect(await open.store.readStream(stream, 0n, 2)).toHaveLength(2);
    });
  });

  describe('a revision that no stream can have', () => {
    it('is told before anything is sent', async () => {
      const { stream } = await written('A');
      for (const revision of [-2n, MAX_REVISION, MAX_REVISION + 1n, 2n ** 64n]) {
        expect(await failureOf(open.store.append(stream, revision, [newEvent()]))).toBeInstanceOf(
          InvalidEvent,
        );
      }
      expect(open.standIn.calls.append).toBe(1);
    });
  });
});
