import { describe, expect, it } from 'vitest';
import { createPurge, type PurgeDeps } from '../../../../application/sources/ingestion/purge.ts';
import { ReadModelsBehind } from '../../../../application/ports/read-gate.ts';
import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import { source } from '../../../../domain/source/decider.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf, memoryParts } from '../../../support/memory-parts.ts';

const DATA_SOURCE = idOf(999_999);
const { context } = callerOf('acme');

/** A data source of so many documents; a catalog that follows when it is waited for; all that is done, in order. */
const setUp = async (count: number) => {
  const parts = memoryParts();
  const { execute, store } = parts;
  const ids = Array.from({ length: count }, (_, i) => idOf(i));
  for (const id of ids) {
    const visit = { dataSourceId: DATA_SOURCE, sourceType: 'crawl', locator: id, jobId: 'j', generation: 1 };
    const command = { type: 'record_skipped', reason: 'too_large', ...visit, at: 1 } as const;
    await execute(source, sourceStream(id), command as never, context);
  }
  const done: (readonly unknown[])[] = [];
  const asking = new AbortController();
  const world = { shown: ids, left: 0, behindAt: 0, waits: 0, onWait: (): void => {} };
  const removals = async () =>
    (await store.read('', { categories: ['source'] }, 10_000)).events.filter(
      ({ type }) => type === 'SourceRemoved',
    );
  const deps: PurgeDeps = {
    execute,
    feed: store,
    clock: parts.clock,
    gate: {
      reached: async (views, position, ms, signal) => {
        done.push([...views, ms, signal === asking.signal]);
        world.onWait();
        if ((world.waits += 1) === world.behindAt) return false;
        const gone = await removals();
        const seen = new Set(gone.filter((one) => one.position <= position).map(({ stream }) => stream));
        world.shown = world.shown.filter((id) => !seen.has(sourceStream(id)));
        return true;
      },
    },
    catalog: {
      countOf: async () => ({ sources: world.shown.length, contents: 3 * world.shown.length + world.left }),
      sourceIds: async (_tenant, _id, limit) => world.shown.slice(0, limit),
      filesOf: async () => new Set(),
    },
    vectors: { forget: async (...of) => void done.push(['vectors', ...of]) },
    files: {
      remove: async (id: string) => {
        done.push(['files', id]);
        return 1_024;
      },
    } as never,
    connectors: { crawl: { forget: async (id: string) => void done.push(['connector', id]) } as never },
    schedules: { forget: async (id) => void done.push(['schedule', id]) },
    tombstones: { removeDataSource: async (id: string) => void done.push(['shown again', id]) } as never,
  };
  const purge = createPurge(deps);
  return {
    world,
    done,
    ids,
    removals,
    asking,
    deps,
    time: parts.time,
    purge: () => purge({ dataSourceId: DATA_SOURCE, tenant: 'acme', context }, asking.signal),
  };
};
const FOLLOWED = ['catalog', 60_000, true];

describe('deleting all of a data source', () => {
  it('removes each document by a fact, then all that was kept beside them, and counts what there was', async () => {
    const { purge, removals, done, ids, time } = await setUp(450);
    expect(await purge()).toEqual({ sources: 450, contents: 1_350, bytes: 1_024 });
    const gone = await removals();
    expect(new Set(gone.map(({ stream }) => stream)).size).toBe(ids.length);
    expect(gone[0]!.data).toEqual({
      data_source_id: DATA_SOURCE,
      reason: 'data_source_deleted',
      job_id: '',
      generation: 0,
      at: time.now,
    });
    expect(done).toEqual([
      ['catalog', 'tag', 60_000, true],
      FOLLOWED,
      FOLLOWED,
      FOLLOWED,
      ['vectors', 'acme', DATA_SOURCE],
      ['files', DATA_SOURCE],
      ['connector', DATA_SOURCE],
      ['schedule', DATA_SOURCE],
      ['shown again', DATA_SOURCE],
    ]);
  });

  it('waits for the last of the facts, whichever document that is of', async () => {
    const { world, deps, asking, ids, done } = await setUp(3);
    // The first that is asked for is the last that is written.
    const late: PurgeDeps['execute'] = Object.assign(
      (async (decider, stream, ...rest) => {
        if (stream === sourceStream(ids[0]!)) await new Promise((resolve) => setImmediate(resolve));
        return deps.execute(decider, stream, ...rest);
      }) as PurgeDeps['execute'],
      { load: deps.execute.load, history: deps.execute.history },
    );
    const purge = createPurge({ ...deps, execute: late });
    await purge({ dataSourceId: DATA_SOURCE, tenant: 'acme', context }, asking.signal);
    expect(world.shown).toEqual([]);
    expect(done.filter(([what]) => what === 'catalog')).toHaveLength(2);
  });

  it.each([1, 2])('breaks off where the read models do not follow, at wait %i', async (behindAt) => {
    const { purge, world, done } = await setUp(2);
    world.behindAt = behindAt;
    const broken = purge();
    await expect(broken).rejects.toThrow(ReadModelsBehind);
    await expect(broken).rejects.toThrow('the read models do not follow: look at /readyz');
    expect(done).toHaveLength(behindAt);
  });

  it('stops when it is told to, and goes on where it was', async () => {
    const { purge, world, done, asking } = await setUp(2);
    world.onWait = () => asking.abort(new Error('told to stop'));
    await expect(purge()).rejects.toThrow('told to stop');
    expect(done).toHaveLength(1);
  });

  it('is not over, and stays hidden, as long as something is left', async () => {
    const { purge, world, done } = await setUp(0);
    world.left = 7;
    await expect(purge()).rejects.toThrow('7 contents and 0 sources are left');
    expect(done.at(-1)).toEqual(['schedule', DATA_SOURCE]);
    world.left = 0;
    expect(await purge()).toEqual({ sources: 0, contents: 0, bytes: 1_024 });
  });
});
