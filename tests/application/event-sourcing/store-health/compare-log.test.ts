import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../support/memory/event-store.ts';
import {
  EventLogChanged,
  LOG_IDENTITY_STREAM,
  createCompareLog,
} from '../../../../application/event-sourcing/store-health/compare-log.ts';
import type { NewEvent, Position } from '../../../../application/ports/event-store.ts';
import type { LogProbeAnswer, LogProbe } from '../../../../application/ports/read-gate.ts';
import { countingIds } from '../../../support/ids.ts';

/** A database that keeps what is known, and a log that the test exchanges; `process` is one that compares the two. */
const setUp = () => {
  const ids = countingIds();
  const world = {
    store: createMemoryEventStore(() => 0),
    end: 'p1',
    holds: true,
    askedFor: '',
    kept: { identity: null, end: '' } as LogProbe,
    databaseAway: false,
  };
  const known = {
    read: async () => {
      if (world.databaseAway) throw new Error('away');
      return world.kept;
    },
    keep: async (identity: string) => {
      world.kept = { ...world.kept, identity: world.kept.identity ?? identity };
    },
    replace: async (identity: string) => {
      world.kept = { ...world.kept, identity };
    },
  };
  const probe = async (seen: Position): Promise<LogProbeAnswer> => {
    world.askedFor = seen;
    const [first] = await world.store.readStream(LOG_IDENTITY_STREAM);
    return {
      end: world.end,
      identity: (first?.data['identity'] as string | undefined) ?? null,
      holds: world.holds,
    };
  };
  const store = {
    append: (...call: Parameters<typeof world.store.append>) => world.store.append(...call),
    readStream: (...call: Parameters<typeof world.store.readStream>) => world.store.readStream(...call),
  };
  return {
    world,
    /** Another process than those before; `appended` tells it of what it has written. */
    process: () => {
      const { compare, appended } = createCompareLog({ probe, known, store, ids });
      return Object.assign(compare, { appended });
    },
    another: () => createMemoryEventStore(() => 0),
  };
};

const identified = (identity: string): NewEvent => ({
  id: '0f6d1a52-4c3e-7b1a-8d2c-000000000001',
  type: 'EventLogIdentified',
  data: { identity },
  metadata: {},
});

describe('the identity of a log', () => {
  it('is given to a log that has none, kept, and the same for every process', async () => {
    const { world, process } = setUp();
    await Promise.all([process()(), process()()]);
    const given = await world.store.readStream(LOG_IDENTITY_STREAM);
    expect(given).toHaveLength(1);
    expect(world.kept.identity).toBe(given[0]?.data['identity']);
    await process()();
    expect(await world.store.readStream(LOG_IDENTITY_STREAM)).toHaveLength(1);
  });

  it('tells an empty log and another one from the known log, to those who knew it and to those who start', async () => {
    const { world, process, another } = setUp();
    const running = process();
    await running();
    const right = world.store;
    for (const identity of [null, 'another']) {
      world.store = another();
      if (identity !== null) await world.store.append(LOG_IDENTITY_STREAM, 'none', [identified(identity)]);
      await expect(running()).rejects.toThrow(EventLogChanged);
      await expect(process()()).rejects.toThrow(EventLogChanged);
      expect(await world.store.readStream(LOG_IDENTITY_STREAM)).toHaveLength(identity === null ? 0 : 1);
    }
    world.store = right;
    await running();
  });

  it('does not hide a log that ends before what this process, or a view, has read', async () => {
    const { world, process } = setUp();
    const running = process();
    world.end = 'p5';
    await running();
    world.end = 'p4';
    await expect(running()).rejects.toThrow('were read from it are missing');
    await process()();
    world.kept = { ...world.kept, end: 'p5' };
    await expect(process()()).rejects.toThrow('were read from it are missing');
    // The views were made anew from this log: who starts takes it, who has seen more does not.
    world.kept = { ...world.kept, end: 'p4' };
    await process()();
    await expect(running()).rejects.toThrow('were read from it are missing');
  });

  it('asks for what this process has written last, which lies behind what it has seen', async () => {
    const { world, process } = setUp();
    const running = process();
    await running();
    running.appended('p4');
    running.appended('p3');
    await running();
    expect(world.askedFor).toBe('p4');
    world.end = 'p7';
    await running();
    await running();
    expect(world.askedFor).toBe('p7');
  });

  it('gives no identity to a log that ends before the views', async () => {
    const { world, process } = setUp();
    world.kept = { identity: null, end: 'p9' };
    await expect(process()()).rejects.toThrow(EventLogChanged);
    expect(await world.store.readStream(LOG_IDENTITY_STREAM)).toEqual([]);
  });

  it('that was replaced beside a running process is not taken up by it', async () => {
    const { world, process, another } = setUp();
    const running = process();
    await running();
    world.store = another();
    world.kept = { identity: null, end: '' };
    await process()();
    await expect(running()).rejects.toThrow('which this process has used');
  });

  it('is compared with what was read last while the database is away', async () => {
    const { world, process, another } = setUp();
    const running = process();
    await running();
    world.databaseAway = true;
    await running();
    world.store = another();
    await expect(running()).rejects.toThrow(EventLogChanged);
    await process()();
  });
});
