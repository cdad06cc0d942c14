import { EventLogChanged } from '../../../../application/event-sourcing/store-health/compare-log.ts';
import { createStoreWatch } from '../../../../application/event-sourcing/store-health/store-watch.ts';
import {
  watchedEventFeed,
  watchedEventStore,
} from '../../../../application/event-sourcing/store-health/watched-event-log.ts';
import {
  BEGINNING,
  type EventStore,
  EventStoreUnavailable,
  type NewEvent,
  OutcomeUnknown,
} from '../../../../application/ports/event-store.ts';
import type { LogFields } from '../../../../application/ports/logger.ts';
import { createMemoryEventStore } from '../../../support/memory/event-store.ts';
import { describe, expect, it } from 'vitest';

/** A watch over a store that answers as the test says, in a time that passes as the watch sleeps. */
const watchedStore = (name: string | null = 'event store') => {
  const world = {
    now: 0,
    answer: null as Error | null,
    silent: false,
    asked: 0,
    sleeps: [] as number[],
    recovered: [] as number[],
  };
  const told: (readonly [string, string, LogFields?])[] = [];
  const note = (level: string) => (message: string, fields?: LogFields) => {
    told.push(fields === undefined ? [level, message] : [level, message, fields]);
  };
  const watch = createStoreWatch({
    probe: async () => {
      world.asked += 1;
      if (world.silent) return new Promise(() => {});
      if (world.answer !== null) throw world.answer;
    },
    now: () => world.now,
    sleep: async (ms, signal) => {
      // What is answered at once is answered before any time passes.
      for (let turn = 0; turn < 10 && !signal.aborted; turn += 1) await Promise.resolve();
      if (signal.aborted) return;
      world.sleeps.push(ms);
      world.now += ms;
    },
    onRecovered: (ms) => void world.recovered.push(ms),
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    name,
  });
  /** Looks now, and at each of these times later. */
  const lookAfter = async (...ms: readonly number[]): Promise<void> => {
    for (const pause of ms) {
      world.now += pause;
      await watch.check();
    }
  };
  return { world, told, watch, lookAfter };
};

const refused = (reason: Error, begun: boolean): Error =>
  new Error(`${begun ? 'left' : 'not begun'}: ${reason.message}`);

const event = (no: number): NewEvent => ({
  id: `0f6d1a52-4c3e-7b1a-8d2c-00000000000${no}`,
  type: 'Some',
  data: {},
  metadata: {},
});

const neverAnswering = (): Promise<never> => new Promise(() => {});

describe('a watch over a store', () => {
  it('tells of an outage once at its beginning and once at its end, with its length', async () => {
    const { world, told, lookAfter } = watchedStore();
    await lookAfter(0);
    world.answer = new Error('refused');
    await lookAfter(1_000, 1_000, 1_400);
    expect(told).toEqual([]);
    await lookAfter(100, 1_000, 60_000);
    expect(told).toEqual([['warn', 'the event store is unavailable', { error: 'refused' }]]);
    world.answer = null;
    await lookAfter(500, 500);
    expect(told.slice(1)).toEqual([['info', 'the event store is available again', { seconds: 64 }]]);
    expect(world.recovered).toEqual([64_000]);
    world.answer = new Error('refused');
    await lookAfter(0, 3_000);
    expect(told.map(([level]) => level)).toEqual(['warn', 'info', 'warn']);
  });

  it('tells nothing of a store that is back before it was away for long, or that another watch tells of', async () => {
    for (const [name, away] of [
      ['event store', 2_400],
      [null, 60_000],
    ] as const) {
      const { world, told, watch, lookAfter } = watchedStore(name);
      world.answer = new Error('refused');
      await lookAfter(0, away);
      expect(watch.unavailableSince()).toBe(name === null ? 0 : null);
      world.answer = null;
      await lookAfter(1);
      expect(told).toEqual([]);
    }
  });

  it('does not begin work while the store is away, and leaves what is under way when that becomes known', async () => {
    const { world, watch, lookAfter } = watchedStore();
    expect(await watch.guard(async () => 'done', refused)).toBe('done');
    const [one, other] = [watch.guard(neverAnswering, refused), watch.guard(neverAnswering, refused)];
    world.answer = new Error('silent');
    await lookAfter(0, 2_500);
    await expect(one).rejects.toThrow('left: silent');
    await expect(other).rejects.toThrow('left: silent');
    let begun = false;
    const third = watch.guard(async () => (begun = true), refused);
    await expect(third).rejects.toThrow('not begun: silent');
    expect(begun).toBe(false);
    world.answer = null;
    await lookAfter(0);
    expect(await watch.guard(async () => 'done', refused)).toBe('done');
  });

  it('looks every three seconds, and soon where work takes long or the last look failed', async () => {
    const { world, watch } = watchedStore();
    const over = new AbortController();
    const looksUntil = async (time: number): Promise<number> => {
      const before = world.asked;
      const stop = new AbortController();
      const running = watch.run(AbortSignal.any([over.signal, stop.signal]));
      while (world.now < time) await Promise.resolve();
      stop.abort();
      await running;
      return world.asked - before;
    };
    expect(await looksUntil(30_000)).toBe(10);
    void watch.guard(neverAnswering, refused).catch(() => {});
    expect(await looksUntil(40_000)).toBeGreaterThanOrEqual(9);
    world.answer = new Error('silent');
    await watch.check();
    const since = world.now;
    while (watch.unavailableSince() === null) await looksUntil(world.now + 1);
    expect(world.now - since).toBeLessThanOrEqual(3_500);
  });

  it('does not wait for a look at a store that is silent again: it is away after 2.5 s', async () => {
    const { world, told, watch } = watchedStore();
    world.answer = new Error('no answer within 1500 ms');
    await watch.check();
    world.now += 1_500;
    world.silent = true;
    expect((await watch.check())?.message).toBe('no answer within 1500 ms');
    expect([watch.unavailableSince(), told.length]).toEqual([0, 1]);
    expect(world.now).toBeLessThanOrEqual(2_510);
  });

  it('holds back whoever would use a log that may be another one, until that is known', async () => {
    const { world, told, watch, lookAfter } = watchedStore();
    await lookAfter(0);
    world.answer = new EventLogChanged('it ends before what was read');
    await lookAfter(0);
    const held = watch.guard(async () => 'done', refused);
    world.answer = null;
    expect(await held).toBe('done');
    expect(told).toEqual([]);

    world.answer = new EventLogChanged('it ends before what was read');
    await lookAfter(0);
    const changed = watch.logChangedSignal();
    await expect(watch.guard(async () => 'done', refused)).rejects.toThrow('not begun: it ends before');
    await expect(watch.ensureSameLog()).rejects.toThrow(EventLogChanged);
    expect(changed.aborted).toBe(true);
    await lookAfter(1_000, 1_000);
    expect(told).toEqual([
      [
        'error',
        'the event log has changed',
        expect.objectContaining({ error: 'it ends before what was read' }),
      ],
    ]);
    world.answer = null;
    await lookAfter(0);
    await watch.ensureSameLog();
    expect(told.at(-1)?.slice(0, 2)).toEqual(['info', 'the event log is the known one again']);
    expect(watch.logChangedSignal().aborted).toBe(false);
  });

  it('looks before the first use, so that a command does not write to another log either', async () => {
    const { world, watch } = watchedStore();
    world.answer = new EventLogChanged('another one');
    await expect(watch.guard(async () => 'done', refused)).rejects.toThrow('another one');
    expect(world.now).toBeGreaterThanOrEqual(4_000);
  });
});

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
