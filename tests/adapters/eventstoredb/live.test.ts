import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEventStoreDb, type EventStoreDb } from '../../../adapters/eventstoredb/eventstoredb.ts';
import { BEGINNING, type EventFilter, type FeedMessage } from '../../../application/ports/event-store.ts';
import { systemEvent } from '../../support/eventstoredb/log.ts';
import { eventsOf } from '../contracts/event-feed.ts';
import { newEvent, newStream } from '../contracts/event-store.ts';
import { IMPATIENT, type OpenStandIn, PATIENT, openStandIn, soon } from './open-store.ts';

/** Followers at the end of the log are given what the subscription brings. Nothing here is found by looking now and then. */
describe('a live follower of EventStoreDB', () => {
  let open: OpenStandIn;
  let other: EventStoreDb;
  const ends: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    open = await openStandIn({}, PATIENT);
    other = elsewhere();
  });
  /** Another process. */
  const elsewhere = (): EventStoreDb => {
    const { connectionString } = open.standIn;
    return createEventStoreDb({ connectionString, deadlines: { ...IMPATIENT, ...PATIENT } });
  };
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await other.close();
    await open.close();
  });

  interface Follower {
    readonly seen: FeedMessage[];
    readonly types: () => readonly string[];
    readonly isCaughtUp: () => boolean;
    /** Takes nothing until it is let go. */
    readonly hold: () => () => void;
  }
  const followed = (filter: EventFilter = {}): Follower => {
    const ended = new AbortController();
    const seen: FeedMessage[] = [];
    let held = Promise.resolve();
    const following = (async () => {
      for await (const message of open.feed.follow(BEGINNING, filter, ended)) {
        seen.push(message);
        await held;
      }
    })();
    ends.push(async () => {
      ended.abort();
      await following;
    });
    return {
      seen,
      types: () => eventsOf(seen).map(({ type }) => type),
      isCaughtUp: () => seen.at(-1)?.kind === 'caughtUp',
      hold: () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        held = promise;
        return resolve;
      },
    };
  };
  /** Follows from the beginning of a log that is not empty, and is where the subscription has begun. */
  const live = async (filter?: EventFilter): Promise<Follower> => {
    await open.store.append(newStream('first'), 'none', [newEvent('First')]);
    const follower = followed(filter);
    await soon(() => expect(open.standIn.subscribedAfter).toHaveLength(1));
    const { position } = await other.store.append(newStream('first'), 'none', [newEvent('Begun')]);
    await soon(() => expect(follower.seen.at(-1)).toEqual({ kind: 'caughtUp', position }));
    await settled();
    return follower;
  };
  /** The looks are over that the first frames of a subscription have led to: a question waits for those before it. */
  const settled = async (): Promise<void> => {
    for (let question = 0; question < 2; question += 1) await open.feed.head();
  };

  it('reads nothing, whoever appends', async () => {
    const follower = await live();
    const before = open.standIn.calls.read;
    for (const [index, store] of [open.store, other.store, open.store].entries()) {
      await store.append(newStream(), 'none', [newEvent(`A${index}`), newEvent(`B${index}`)]);
      await soon(() => expect(follower.types().slice(-2)).toEqual([`A${index}`, `B${index}`]));
      await soon(() => expect(follower.isCaughtUp()).toBe(true));
    }
    expect(open.standIn.calls.read).toBe(before);
  });

  it('is given its own by its filter, and moves on over the rest', async () => {
    const follower = await live({ categories: ['mine'] });
    const before = open.standIn.calls.read;
    await other.store.append(newStream('mine'), 'none', [newEvent('Mine')]);
    const { position } = await other.store.append(newStream('theirs'), 'none', [newEvent('Theirs')]);
    await soon(() => expect(follower.seen.at(-1)).toEqual({ kind: 'caughtUp', position }));
    expect(follower.types()).toEqual(['Mine']);
    expect(open.standIn.calls.read).toBe(before);
  });

  it('passes over what other programs and the server write', async () => {
    const follower = await live();
    open.standIn.log.append('$stats-1', 'any', [systemEvent('$statsCollected')]);
    open.standIn.log.append('some-list', 'any', [{ ...systemEvent('Theirs'), data: Buffer.from('[1]') }]);
    await other.store.append(newStream(), 'none', [newEvent('Ours')]);
    await soon(() => expect(follower.types().at(-1)).toBe('Ours'));
    expect(follower.types()).toEqual(['First', 'Begun', 'Ours']);
  });

  it('reads what its own process has appended and the subscription does not bring', async () => {
    await other.close();
    await open.close();
    open = await openStandIn({}, { ...PATIENT, arrivalMs: 5 });
    other = elsewhere();
    const follower = await live();
    open.standIn.faults.muteSubscriptions = true;
    await open.store.append(newStream(), 'none', [newEvent('One')]);
    await soon(() => expect(follower.types().at(-1)).toBe('One'));
    await open.store.append(newStream(), 'none', [newEvent('Two')]);
    await soon(() => expect(follower.types().at(-1)).toBe('Two'));
    open.standIn.faults.muteSubscriptions = false;
    await open.store.append(newStream(), 'none', [newEvent('Three')]);
    await soon(() => expect(follower.types()).toEqual(['First', 'Begun', 'One', 'Two', 'Three']));
  });

  it.each([
    ['many', 40, 60, 'x'],
    ['large', 12, 5, 'x'.repeat(170_000)],
  ])('that is slow is given each event once, in order, though %s come', async (_, appends, each, text) => {
    const [slow, quick] = [await live(), followed()];
    await soon(() => expect(quick.types()).toEqual(['First', 'Begun']));
    const go = slow.hold();
    let sent = 0;
    for (let append = 0; append < appends; append += 1) {
      const next = () => newEvent(`E${sent++}`, { text });
      await other.store.append(newStream(), 'none', [next(), ...Array.from({ length: each - 1 }, next)]);
    }
    const all = ['First', 'Begun', ...Array.from({ length: sent }, (__, index) => `E${index}`)];
    await soon(() => expect(quick.types()).toEqual(all));
    go();
    await soon(() => expect(slow.types()).toEqual(all));
  });

  it('goes on where its connection dies while events come', async () => {
    const follower = await live();
    for (let index = 0; index < 30; index += 1) {
      await vi.waitFor(() => other.store.append(newStream(), 'none', [newEvent(`E${index}`)]));
      if (index % 5 === 4) open.standIn.network.cut();
    }
    await open.store.append(newStream(), 'none', [newEvent('Last')]);
    await soon(() => expect(follower.types().at(-1)).toBe('Last'));
    const types = follower.types();
    expect(types.slice(2, -1)).toEqual([...new Set(types.slice(2, -1))]);
    expect(types).toHaveLength(33);
  });

  it('hears that it has caught up though appends are always ahead of it', async () => {
    const follower = await live();
    const caughtUp = (): number => follower.seen.filter(({ kind }) => kind === 'caughtUp').length;
    const before = caughtUp();
    const write = async (): Promise<void> => {
      while (caughtUp() < before + 3) await open.store.append(newStream(), 'none', [newEvent()]);
    };
    await Promise.all([write(), write(), write(), write()]);
    const last = follower.seen.findLast(({ kind }) => kind === 'caughtUp')!;
    expect(last.position > BEGINNING).toBe(true);
  });
});
