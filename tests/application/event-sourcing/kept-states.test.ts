import { describe, expect, it } from 'vitest';
import { createKeptStates, type KeptStatesOptions } from '../../../application/event-sourcing/kept-states.ts';
import { rowIn, withRow } from '../../../application/read-models/with-row.ts';
import { createBackground } from '../../../application/event-sourcing/background.ts';
import type { Snapshot, SnapshotStore } from '../../../application/ports/snapshot-store.ts';
import { keptLog } from '../jobs/leased.ts';

/** A state that is a number, and weighs as much. */
const counting = {
  category: 'count',
  initial: 0,
  evolve: (state: number): number => state + 1,
  shape: {
    name: 'count',
    version: 3,
    toJson: (state: number) => state,
    fromJson: (json: unknown) => json as number,
    entries: (state: number) => state,
  },
};
const { shape: _, ...shapeless } = counting;
const at = (revision: number, state = 1) => ({
  state,
  revision: BigInt(revision),
  eventId: `event-${revision}`,
  tenant: 'acme',
});

const setUp = (options: KeptStatesOptions = {}, broken: Partial<SnapshotStore> = {}) => {
  const { lines, log } = keptLog();
  const written: Snapshot[] = [];
  const forgotten: unknown[] = [];
  const snapshots: SnapshotStore = {
    read: async (stream, shape, version) =>
      written.findLast((one) => one.stream === stream && one.shape === shape && one.version === version) ??
      null,
    write: async (snapshot) => void written.push(snapshot),
    forget: async (...which) => void forgotten.push(which),
    ...broken,
  };
  const kept = createKeptStates({ snapshots, log, from: 1, every: 10, ...options });
  const keepAll = async (revisions: readonly number[], state = 1): Promise<readonly bigint[]> => {
    for (const revision of revisions) {
      kept.keep(counting, 'count-1', at(revision, state));
      await kept.settled();
    }
    return written.map(({ revision }) => revision);
  };
  return { kept, keepAll, written, forgotten, lines };
};

describe('kept states', () => {
  it('are those of streams that are long enough, and the newest of each', () => {
    const kept = createKeptStates();
    kept.keep(counting, 'count-1', at(30));
    expect(kept.find(counting, 'count-1')).toBeUndefined();
    kept.keep(counting, 'count-1', at(31, 5));
    kept.keep(counting, 'count-1', at(31, 6));
    kept.keep(counting, 'count-1', at(30, 7));
    expect(kept.find(counting, 'count-1')).toMatchObject(at(31, 5));
    expect([kept.find(shapeless, 'count-1'), kept.find(counting, 'count-2')]).toEqual([
      expect.objectContaining(at(31, 5)),
      undefined,
    ]);
    const other = { ...counting, evolve: (state: number): number => state };
    expect([kept.find(other, 'count-1'), kept.firstPage]).toEqual([undefined, 64]);
  });

  it('are written down each time so many events are new, and say to whom they belong', async () => {
    const { keepAll, written } = setUp();
    expect(await keepAll([8, 9, 10, 18, 19, 20, 29])).toEqual([9n, 19n, 29n]);
    expect(written[0]).toEqual({ ...at(9), stream: 'count-1', shape: 'count', version: 3 });
  });

  it('are written down less often the more they hold', async () => {
    const { keepAll } = setUp();
    expect(await keepAll([9, 18, 19, 28, 29], 80)).toEqual([19n]);
    const small = setUp();
    expect(await small.keepAll([9, 18, 19, 28, 29], 40)).toEqual([9n, 19n, 29n]);
  });

  it('are by default written down every 200 events', async () => {
    const { keepAll } = setUp({ every: undefined as never });
    expect(await keepAll([198, 199, 398, 399])).toEqual([199n, 399n]);
  });

  it('are not written down without a shape, or without a store for it', async () => {
    const { kept, written, lines } = setUp();
    kept.keep(shapeless, 'count-1', at(500));
    await kept.settled();
    expect(written).toEqual([]);
    expect(await kept.recall(shapeless, 'count-1')).toBeUndefined();
    expect(lines).toEqual([]);
    const { log, lines: others } = keptLog();
    const alone = createKeptStates({ from: 1, every: 1, log });
    alone.keep(counting, 'count-1', at(500));
    await alone.settled();
    expect(alone.find(counting, 'count-1')).toMatchObject(at(500));
    expect(await alone.recall(counting, 'count-1')).toBeUndefined();
    expect(others).toEqual([]);
  });

  it('are those last used, as many as there is room for', () => {
    const kept = createKeptStates();
    for (const stream of ['count-1', 'count-2']) kept.keep(counting, stream, at(31, 150_000));
    const found = ['count-1', 'count-2'].map((stream) => kept.find(counting, stream) !== undefined);
    expect(found).toEqual([false, true]);
  });

  it('that were written down are recalled, and not written again at once', async () => {
    const stored: Snapshot = { ...at(9), stream: 'count-1', shape: 'count', version: 3 };
    const read: SnapshotStore['read'] = async (stream) => (stream === 'count-1' ? stored : null);
    const { kept: later, written } = setUp({}, { read });
    expect(await later.recall(shapeless, 'count-1')).toBeUndefined();
    expect(await later.recall(counting, 'count-2')).toBeUndefined();
    expect(await later.recall(counting, 'count-1')).toEqual(at(9));
    expect(later.find(counting, 'count-1')).toMatchObject(at(9));
    later.keep(counting, 'count-1', at(18));
    later.keep(counting, 'count-1', at(19));
    await later.settled();
    expect(written.map(({ revision }) => revision)).toEqual([19n]);
  });

  it('are forgotten with what was written of them', async () => {
    const { kept, keepAll, forgotten } = setUp();
    await keepAll([9]);
    await kept.forget(counting, 'count-1');
    expect(kept.find(counting, 'count-1')).toBeUndefined();
    await kept.forget(shapeless, 'count-1');
    expect(forgotten).toEqual([['count-1', 'count']]);
    await createKeptStates().forget(counting, 'count-1');
  });

  it('do without snapshots that break, and tell of them', async () => {
    const fail = () => Promise.reject(new Error('full'));
    const { kept, keepAll, lines } = setUp({}, { write: fail, read: fail, forget: fail });
    await keepAll([9]);
    expect(await kept.recall(counting, 'count-1')).toBeUndefined();
    await kept.forget(counting, 'count-1');
    const fields = { stream: 'count-1', error: 'full' };
    expect(lines).toEqual([
      ['warn', 'a snapshot was not written', fields],
      ['warn', 'a snapshot was not read', fields],
      ['warn', 'a snapshot was not forgotten', fields],
    ]);
  });

  it('are current for a second behind two appends of this process that follow each other', () => {
    let now = 100;
    const { kept } = setUp({ clock: { now: () => now } });
    const current = () => kept.current(counting, 'count-1')?.revision;
    kept.appended(counting, 'count-1', 4n, at(5));
    expect(current()).toBeUndefined();
    kept.appended(counting, 'count-1', 5n, at(6));
    expect(current()).toBe(6n);
    now = 1_100;
    expect(current()).toBe(6n);
    now = 1_101;
    expect(current()).toBeUndefined();
    kept.appended(counting, 'count-1', 7n, at(8));
    expect(current()).toBeUndefined();
    kept.keep(counting, 'count-1', at(9));
    kept.appended(counting, 'count-1', 9n, at(10));
    expect(current()).toBeUndefined();
    const timeless = setUp().kept;
    timeless.appended(counting, 'count-1', 4n, at(5));
    timeless.appended(counting, 'count-1', 5n, at(6));
    expect(timeless.current(counting, 'count-1')).toBeUndefined();
  });
});

describe('what runs in the background', () => {
  it('runs once at a time for each key', async () => {
    const begin = createBackground();
    const gate = Promise.withResolvers<void>();
    const began: string[] = [];
    const run = (name: string) => async (): Promise<void> => {
      began.push(name);
      await gate.promise;
    };
    begin('a', run('first'));
    begin('a', run('second'));
    begin('b', run('other'));
    expect(began).toEqual(['first', 'other']);
    let settled = false;
    const all = begin.settled().then(() => (settled = true));
    await Promise.resolve();
    expect(settled).toBe(false);
    gate.resolve();
    await all;
    begin('a', run('third'));
    expect(began).toEqual(['first', 'other', 'third']);
  });
});

describe('a state with its row', () => {
  const decider = withRow(
    {
      category: 'count',
      initial: 0,
      decide: (by: number, state: number) => [state + by],
      evolve: (_before: number, event: number) => event,
    },
    (row: { revision: bigint; seen: number } | null, event: number, { revision }) =>
      event < 0 ? null : { revision, seen: (row?.seen ?? 0) + 1 },
    { name: 'counted', version: 2 },
  );

  it('is folded of the same events, and tells whose row it is', () => {
    expect(decider.initial).toEqual({ state: 0, row: null, next: 0 });
    const one = decider.evolve(decider.initial, 4);
    const two = decider.evolve(one, 7);
    expect(two).toEqual({ state: 7, row: { revision: 1n, seen: 2 }, next: 2 });
    expect(decider.decide(3, two)).toEqual([10]);
    expect(rowIn(two, 'c-1', 'acme')).toEqual({ revision: 1n, seen: 2, id: 'c-1', tenant: 'acme' });
    expect(rowIn(decider.evolve(two, -1), 'c-1', 'acme')).toBeNull();
  });

  it('is written down as JSON, and read again', () => {
    const shape = decider.shape!;
    const states = [decider.initial, decider.evolve(decider.initial, 4)];
    const written = states.map((state) => JSON.parse(JSON.stringify(shape.toJson(state))) as unknown);
    expect(written).toEqual([
      { state: 0, row: null, next: 0 },
      { state: 4, row: { revision: 0, seen: 1 }, next: 1 },
    ]);
    expect(written.map(shape.fromJson)).toEqual(states);
    expect([shape.name, shape.version, shape.entries(states[0]!)]).toEqual(['counted', 2, 1]);
  });
});
