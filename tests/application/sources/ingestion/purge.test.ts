import { createEventCodec } from '../../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../../application/event-sourcing/execute.ts';
import { dataSourceStream, sourceStream } from '../../../../application/event-sourcing/streams.ts';
import { createIsTransient } from '../../../../application/jobs/transient.ts';
import { runWithLease } from '../../../../application/jobs/worker.ts';
import { EventStoreUnavailable } from '../../../../application/ports/event-store.ts';
import { FileStoreUnavailable } from '../../../../application/ports/file-store.ts';
import { ReadModelsBehind } from '../../../../application/ports/read-gate.ts';
import {
  type PurgeDeps,
  createPurge,
  createPurgeHandler,
} from '../../../../application/sources/ingestion/purge-handler.ts';
import { type DataSourceCommand, dataSource } from '../../../../domain/data-source/index.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { source } from '../../../../domain/source/decider.ts';
import { START, created } from '../../../domain/data-source/job-steps.ts';
import { callerOf } from '../../../support/conversations.ts';
import { countingIds } from '../../../support/ids.ts';
import { idOf, memoryParts } from '../../../support/memory-parts.ts';
import { createMemoryEventStore } from '../../../support/memory/event-store.ts';
import { writeAsNewer } from '../../../support/newer-version.ts';
import { CALLER, ID } from './worker-on-a-job.ts';
import { describe, expect, it } from 'vitest';

const DATA_SOURCE = idOf(999_999);

const { context } = callerOf('acme');

const FOLLOWED = ['catalog', 60_000, true];

describe('deleting all of a data source', () => {
  /** A data source of so many documents; a catalog that follows when it is waited for; all that is done, in order. */
  const setUp = async (count: number) => {
    const parts = memoryParts();
    const { execute, store } = parts;
    const ids = Array.from({ length: count }, (_, i) => idOf(i));
    for (const id of ids) {
      const visit = {
        dataSourceId: DATA_SOURCE,
        sourceType: 'crawl',
        locator: id,
        jobId: 'j',
        generation: 1,
      };
      const command = { type: 'record_skipped', reason: 'too_large', ...visit, at: 1 } as const;
      await execute(source, sourceStream(id), command as never, context);
    }
    const done: (readonly unknown[])[] = [];
    const asking = new AbortController();
    const world = { shown: ids, left: 0, behindAt: 0, awaitsFiles: 0, onWait: (): void => {} };
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
          if ((world.awaitsFiles += 1) === world.behindAt) return false;
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

  it.each([1, 2])('breaks off where the read models do not follow, at wait %i', async (behindAt) => {
    const { purge, world, done } = await setUp(2);
    world.behindAt = behindAt;
    const broken = purge();
    await expect(broken).rejects.toThrow(ReadModelsBehind);
    await expect(broken).rejects.toThrow('the read models do not catch up: see /readyz');
    expect(done).toHaveLength(behindAt);
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

const STREAM = dataSourceStream(ID);

const REMOVED = { contents: 3, sources: 2, bytes: 1024 };

const HOUR = 3_600_000;

const fails = (error: unknown) => async (): Promise<never> => {
  throw error;
};

describe('a deletion by a worker', () => {
  /** A crawl whose deletion was asked for at START; `purge` says how each try ends. */
  const setUp = async () => {
    const inner = createMemoryEventStore(() => START);
    const codec = createEventCodec();
    const world = {
      now: START,
      /** What every call of the event store is answered with; null: it is there. */
      away: null as Error | null,
      purge: async (_signal: AbortSignal): Promise<typeof REMOVED> => REMOVED,
      leaseHolds: true,
    };
    const store = {
      append: async (...call: Parameters<typeof inner.append>) => {
        if (world.away !== null) throw world.away;
        return inner.append(...call);
      },
      readStream: async (...call: Parameters<typeof inner.readStream>) => {
        if (world.away !== null) throw world.away;
        return inner.readStream(...call);
      },
    };
    const execute = createExecute({ store, codec, ids: countingIds() });
    const send = (command: DataSourceCommand) => execute(dataSource, STREAM, command, CALLER);
    await send(created(dataSource.initial, START));
    await send({ type: 'delete', at: START });
    const logged: (readonly [string, string])[] = [];
    const note = (level: string) => (message: string) => void logged.push([level, message]);
    const shutdown = new AbortController();
    const renewals: (() => Promise<void>)[] = [];
    const deps = {
      leases: { renew: async () => world.leaseHolds } as never,
      store,
      codec,
      executeAtOnce: execute,
      deletions: { failed: async () => [], forgetRemoved: async () => 0 },
      owner: 'worker-1',
      leaseMs: 60_000,
      clock: { now: () => world.now },
      log: { info: note('info'), warn: note('warn'), error: note('error') },
      tracing: {
        inSpan: <T>(_: string, __: object, ___: object, run: (t: undefined) => Promise<T>) => run(undefined),
      },
      every: (_: number, run: () => Promise<void>) => {
        renewals.push(run);
        return { stop: () => {} };
      },
      isTransient: createIsTransient((error) => (error as { code?: string }).code === '57P01'),
      purge: (_: object, signal: AbortSignal) => world.purge(signal),
    };
    const run = (attempt: number, lasting = 0) => {
      const lease = {
        kind: 'ingestion_purge',
        id: ID,
        tenant: 'acme',
        token: 1n,
        attempt,
        lasting,
      } as const;
      return runWithLease(deps, createPurgeHandler(deps), lease, shutdown.signal);
    };
    return {
      world,
      store: inner,
      run,
      send,
      logged,
      shutdown,
      renew: () => Promise.all(renewals.map((renewal) => renewal())),
      last: async () => (await inner.readStream(STREAM)).at(-1)!,
    };
  };

  it('is recorded with what was removed, and leaves no lease behind', async () => {
    const { run, last, logged } = await setUp();
    expect(await run(1)).toBe('gone');
    expect(await last()).toMatchObject({ type: 'DataSourceDeleted', data: REMOVED });
    expect(await run(2)).toBe('gone');
    expect(logged).toEqual([]);
  });

  it.each([
    ['an event store that is away', new EventStoreUnavailable('away')],
    ['a file store that is away', new FileStoreUnavailable('unreachable', 'away')],
    ['read models that do not follow', new ReadModelsBehind('behind')],
    ['a stream of a newer version', new DomainError('unavailable', 'ask the newer one')],
    ['a database that ends the session', Object.assign(new Error('terminated'), { code: '57P01' })],
  ])('is put off for %s, however often, and told once each time', async (_, error) => {
    const { world, run, last, logged } = await setUp();
    world.purge = fails(error);
    expect(await run(1)).toEqual({ ms: 2_000, transient: true });
    expect(await run(3, 1)).toEqual({ ms: 8_000, transient: true });
    world.now += HOUR - 1;
    expect(await run(14)).toEqual({ ms: 600_000, transient: true });
    expect((await last()).type).toBe('DataSourceDeletionRequested');
    expect(logged).toEqual(Array.from({ length: 3 }, () => ['warn', 'deletion will be retried']));
  });

  it('is given up once an hour of tries has passed since it was asked for, and says what is next', async () => {
    const { world, run, last, logged } = await setUp();
    world.purge = fails(new FileStoreUnavailable('unreachable', 'the bucket is away'));
    world.now += HOUR;
    expect(await run(16)).toBe('done');
    expect(await last()).toMatchObject({
      type: 'DataSourceDeletionFailed',
      data: {
        error: {
          title: 'Deletion failed',
          message:
            'given up after 16 attempts; the last one failed: the bucket is away. ' +
            'It is retried after a day, or by DELETE',
        },
      },
      metadata: { actor: { kind: 'worker', id: 'worker-1' } },
    });
    expect(logged).toEqual([['error', 'deletion failed']]);
  });

  it('waits without its lease also while the request itself cannot be read, or its failure not be written', async () => {
    const { world, run, last } = await setUp();
    world.away = new EventStoreUnavailable('away');
    world.now += 2 * HOUR;
    expect(await run(16)).toEqual({ ms: 600_000, transient: true });
    world.away = null;
    world.purge = async () => {
      world.away = new EventStoreUnavailable('away');
      throw new EventStoreUnavailable('away');
    };
    expect(await run(17)).toEqual({ ms: 60_000, transient: true });
    world.away = null;
    world.purge = async () => REMOVED;
    expect(await run(18)).toBe('gone');
    expect((await last()).type).toBe('DataSourceDeleted');
  });

  it('is put down by an orderly stop, and left to others once its lease is lost, without a word', async () => {
    const stopped = await setUp();
    stopped.world.purge = async (signal) => {
      stopped.shutdown.abort();
      throw signal.reason;
    };
    expect(await stopped.run(3, 2)).toBe('stopped');
    const lost = await setUp();
    lost.world.purge = async (signal) => {
      lost.world.leaseHolds = false;
      await lost.renew();
      throw signal.reason;
    };
    expect(await lost.run(3, 2)).toBe('lost');
    for (const { last, logged } of [stopped, lost]) {
      expect((await last()).type).toBe('DataSourceDeletionRequested');
      expect(logged).toEqual([]);
    }
  });

  it('stops where a newer version has written to the data source, and is put off', async () => {
    const { world, run, renew, store, logged } = await setUp();
    world.purge = async (signal) => {
      await writeAsNewer(store, STREAM);
      await renew();
      throw signal.aborted ? signal.reason : new Error('it was not stopped');
    };
    expect(await run(1)).toEqual({ ms: 2_000, transient: true });
    expect(logged).toEqual([['warn', 'deletion will be retried']]);
  });

  it('that fails because another worker has ended it meanwhile has not failed', async () => {
    for (const [command, how] of [
      [{ type: 'delete_done', ...REMOVED, at: START }, 'gone'],
      [{ type: 'delete_failed', error: { title: 'Deletion failed', message: '' }, at: START }, 'done'],
    ] as const) {
      const { world, run, send, logged } = await setUp();
      world.purge = async () => {
        await send(command);
        throw new DomainError('conflict', 'the data source is removed');
      };
      expect(await run(9, 2)).toBe(how);
      expect(logged).toEqual([]);
    }
  });
});
