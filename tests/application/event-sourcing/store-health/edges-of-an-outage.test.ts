import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../support/memory/event-store.ts';
import { createCompareLog } from '../../../../application/event-sourcing/store-health/compare-log.ts';
import { EventLogChanged } from '../../../../application/event-sourcing/store-health/event-log-changed.ts';
import {
  giveIdentity,
  LOG_IDENTITY,
} from '../../../../application/event-sourcing/store-health/log-identity.ts';
import { createStoreWatch } from '../../../../application/event-sourcing/store-health/store-watch.ts';
import {
  watchedEventFeed,
  watchedEventStore,
} from '../../../../application/event-sourcing/store-health/watched-event-log.ts';
import {
  BEGINNING,
  ConcurrencyConflict,
  type EventStore,
  EventStoreUnavailable,
  OutcomeUnknown,
} from '../../../../application/ports/event-store.ts';
import { countingIds } from '../../../support/ids.ts';
import { event, refused, watchedStore } from './watched-store.ts';

describe('the identity of a log', () => {
  it('is given once, by the service itself, and answered to whoever comes later', async () => {
    const store = createMemoryEventStore(() => 0);
    const given = await giveIdentity(store, countingIds());
    const second = countingIds();
    second.newId();
    second.newId();
    expect(await giveIdentity(store, second)).toBe(given);
    const [stored, ...rest] = await store.readStream(LOG_IDENTITY);
    expect([stored?.data, stored?.metadata, rest]).toEqual([
      { identity: given },
      { actor: { kind: 'system', id: 'event log' }, schemaVersion: 1 },
      [],
    ]);
  });

  it('is none where the store fails, or shows nothing', async () => {
    const given = createMemoryEventStore(() => 0);
    await giveIdentity(given, countingIds());
    const failing = (error: Error, shown: EventStore): EventStore => ({
      append: async () => {
        throw error;
      },
      readStream: (...call) => shown.readStream(...call),
    });
    const away = new Error('away');
    await expect(giveIdentity(failing(away, given), countingIds())).rejects.toBe(away);
    const conflict = new ConcurrencyConflict(LOG_IDENTITY, 'none', 0n);
    const nothing = createMemoryEventStore(() => 0);
    await expect(giveIdentity(failing(conflict, nothing), countingIds())).rejects.toBe(conflict);
  });

  it('that is not the one which the database knows is told so', async () => {
    const { compare } = createCompareLog({
      look: async () => ({ end: 'p1', identity: 'one', holds: true }),
      known: {
        read: async () => ({ identity: 'other', end: '' }),
        keep: async () => {},
        replace: async () => {},
      },
      store: createMemoryEventStore(() => 0),
      ids: countingIds(),
    });
    await expect(compare()).rejects.toThrow(
      'it has another identity than the one that this database was used with',
    );
  });
});

/** A watch over a store whose answers take so many turns and milliseconds, and when it was asked. */
const slowStore = () => {
  const world = { now: 0, answer: null as Error | null, turns: 0, takes: 0 };
  const looks: number[] = [];
  const told: unknown[] = [];
  const note = (level: string) => (message: string, fields?: unknown) =>
    void told.push([level, message, fields]);
  const watch = createStoreWatch({
    ask: async () => {
      looks.push(world.now);
      for (let turn = 0; turn < world.turns; turn += 1) await Promise.resolve();
      world.now += world.takes;
      if (world.answer !== null) throw world.answer;
    },
    now: () => world.now,
    sleep: async (ms, signal) => {
      for (let turn = 0; turn < 10 && !signal.aborted; turn += 1) await Promise.resolve();
      if (!signal.aborted) world.now += ms;
    },
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    name: 'event store',
  });
  /** Runs until then, and answers when it looked, from now on. */
  const looksUntil = async (time: number): Promise<readonly number[]> => {
    const from = world.now;
    const before = looks.length;
    const stop = new AbortController();
    const running = watch.run(stop.signal);
    while (world.now < time) await Promise.resolve();
    stop.abort();
    await running;
    return looks
      .slice(before)
      .filter((at) => at < time)
      .map((at) => at - from);
  };
  return { world, looks, told, watch, looksUntil };
};

describe('a watch', () => {
  it('knows nothing against a store at first, and looks anew at one that was reached anew', async () => {
    const { watch, looks } = slowStore();
    expect(watch.awaySince()).toBeNull();
    await watch.during(async () => {}, refused);
    await watch.during(async () => {}, refused);
    expect(looks).toHaveLength(1);
    watch.distrust();
    await watch.during(async () => {}, refused);
    await watch.during(async () => {}, refused);
    expect(looks).toHaveLength(2);
  });

  it('waits for a slow answer of a store that has not failed, or has only seemed to be another', async () => {
    const { watch, world } = slowStore();
    world.turns = 100;
    expect(await watch.look()).toBeNull();
    world.answer = new EventLogChanged('another one');
    await watch.look();
    world.answer = null;
    expect(await watch.look()).toBeNull();
  });

  it('tells at once of an outage that a single look has shown', async () => {
    const { watch, world, told } = slowStore();
    Object.assign(world, { answer: new Error('silent'), takes: 2_500 });
    await watch.look();
    expect(told).toEqual([['warn', 'the event store is away', { error: 'silent' }]]);
    expect(watch.logChanged().aborted).toBe(false);
    Object.assign(world, { answer: new EventLogChanged('another one'), takes: 4_000 });
    await watch.look();
    expect(told.slice(1)).toEqual([
      ['info', 'the event store is back', { seconds: 6.5 }],
      [
        'error',
        'the event log has changed',
        {
          error: 'another one',
          do: 'put the right log back, or follow "Log lost or exchanged" in docs/operations.md; nothing is written until then',
        },
      ],
    ]);
    expect(watch.logChanged().aborted).toBe(true);
  });

  it('looks three times a second in doubt, and every second while the store is away', async () => {
    const { watch, world, looksUntil } = slowStore();
    world.answer = new Error('silent');
    await watch.look();
    expect(await looksUntil(1_200)).toEqual([300, 600, 900]);
    while (watch.awaySince() === null) await looksUntil(world.now + 1);
    expect((await looksUntil(world.now + 10_000)).length).toBe(10);
  });

  it('looks sooner at a store whose work takes half a second, as long as it does', async () => {
    const { watch, world, looksUntil } = slowStore();
    await watch.look();
    world.now = 1_500;
    const work = Promise.withResolvers<void>();
    const working = watch.during(() => work.promise, refused);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(await looksUntil(3_600)).toEqual([500, 1_500]);
    work.resolve();
    await working;
    expect((await looksUntil(world.now + 30_000)).length).toBeLessThanOrEqual(10);
  });
});

describe('an event log under watch', () => {
  it('says why it cannot be used, and what is not known', async () => {
    const { world, watch, lookAfter } = watchedStore();
    const hanging = () => new Promise<never>(() => {});
    const store = watchedEventStore({ append: hanging, readStream: hanging }, watch);
    await lookAfter(0);
    const calls = [store.append('a-1', 'none', [event(1)]), store.readStream('a-1')];
    const errors = Promise.all(calls.map((call) => call.catch((error: unknown) => error)));
    const cause = new Error('silent');
    world.answer = cause;
    await lookAfter(0, 2_500);
    const [append, read] = await errors;
    expect(append).toBeInstanceOf(OutcomeUnknown);
    expect(append).toMatchObject({ message: 'the event store went away before it answered: silent', cause });
    expect(read).toBeInstanceOf(EventStoreUnavailable);
    expect(read).toMatchObject({ message: 'silent', cause });
  });

  it('tells of what was written, and reads as the log does', async () => {
    const { watch } = watchedStore();
    const inner = createMemoryEventStore(() => 0);
    const appended: string[] = [];
    const store = watchedEventStore(inner, watch, (position) => void appended.push(position));
    const { position } = await store.append('a-1', 'none', [event(1), event(2)]);
    expect(appended).toEqual([position]);
    const feed = watchedEventFeed(inner, watch);
    expect(await feed.head()).toBe(await inner.head());
    expect(await feed.readBack(BEGINNING, {}, 1)).toEqual(await inner.readBack(BEGINNING, {}, 1));
    expect([await feed.holds(position), await feed.holds('9'.repeat(20))]).toEqual([true, false]);
  });

  it('ends a follower that is told to stop, whatever has become of the log', async () => {
    const { world, watch, lookAfter } = watchedStore();
    const inner = createMemoryEventStore(() => 0);
    const feed = watchedEventFeed(inner, watch);
    const follow = async (onCaughtUp: (stop: AbortController) => Promise<void>) => {
      const stop = new AbortController();
      for await (const { kind } of feed.follow(BEGINNING, {}, { signal: stop.signal }))
        if (kind === 'caughtUp') await onCaughtUp(stop);
    };
    await expect(follow(async (stop) => stop.abort())).resolves.toBeUndefined();
    const stopped = follow(async (stop) => {
      world.answer = new EventLogChanged('another one');
      stop.abort();
      await lookAfter(0, 4_000);
    });
    await expect(stopped).resolves.toBeUndefined();
    world.answer = null;
    await lookAfter(0);
    // One that waits for what comes ends as well, though nothing comes.
    const waiting = follow(async () => {
      world.answer = new EventLogChanged('another one');
      void lookAfter(0, 4_000);
    });
    await expect(waiting).rejects.toThrow(EventLogChanged);
  });
});
