import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../support/memory/event-store.ts';
import { EventLogChanged } from '../../../../application/event-sourcing/store-health/event-log-changed.ts';
import {
  giveIdentity,
  LOG_IDENTITY,
} from '../../../../application/event-sourcing/store-health/log-identity.ts';
import { createStoreWatch } from '../../../../application/event-sourcing/store-health/store-watch.ts';
import { ConcurrencyConflict, type EventStore } from '../../../../application/ports/event-store.ts';
import { countingIds } from '../../../support/ids.ts';

describe('the identity of a log', () => {
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
});
