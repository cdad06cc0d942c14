import { describe, expect, it } from 'vitest';
import type { Execute, Run } from '../../../../application/event-sourcing/execute.ts';
import { afterFailure, isOver, isRefused } from '../../../../application/sources/ingestion/failed-purge.ts';
import {
  type LoadedDataSource,
  loadDataSource,
  type Purge,
} from '../../../../application/sources/ingestion/job.ts';
import { createPurgeHandler } from '../../../../application/sources/ingestion/purge-handler.ts';
import type { HeldWork, StopReason } from '../../../../application/jobs/work-handler.ts';
import { DELETION_REST } from '../../../../domain/data-source/index.ts';
import { DomainError } from '../../../../domain/shared/domain-error.ts';
import { created, deleted, purged, purgeFailed, type Step } from '../../../domain/data-source/job-steps.ts';
import { idOf, memoryParts } from '../../../support/memory-parts.ts';

const ID = idOf(1);
const REMOVED = { contents: 3, sources: 2, bytes: 1_024 };
const DELETING: readonly Step[] = [created, deleted];
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** A worker and data sources; `run` stands for the writes of the worker. */
const setUp = async (...steps: readonly Step[]) => {
  const parts = memoryParts();
  await parts.dataSource(ID, steps);
  const { execute } = parts;
  const logged: unknown[] = [];
  const spans: unknown[] = [];
  const asked: unknown[] = [];
  const note =
    (level: string) =>
    (...told: unknown[]) =>
      void logged.push([level, ...told]);
  const world = {
    run: execute as Run,
    failed: [] as readonly string[],
    purge: (async () => REMOVED) as Purge,
    transient: true,
  };
  const executeAtOnce: Execute = Object.assign(
    ((...call) => world.run(...call)) as Run,
    { load: execute.load, history: execute.history } as const,
  );
  const deps = {
    executeAtOnce,
    clock: parts.clock,
    owner: 'worker-1',
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    isTransient: () => world.transient,
    deletions: {
      failed: async (...of: readonly unknown[]) => {
        asked.push(of);
        return world.failed.map((dataSourceId) => ({ dataSourceId, tenant: 'acme' }));
      },
      forgetRemoved: async () => asked.push('forgotten'),
    },
    tracing: {
      inSpan: async <T>(...of: readonly [string, object, object, (trace: string) => Promise<T>]) => {
        spans.push(of.slice(0, 3));
        return of[3](TRACE);
      },
    },
    purge: (...of: Parameters<Purge>) => world.purge(...of),
  };
  const leaseOf = (id: string, attempt = 1, lasting = 0) => ({
    kind: 'ingestion_purge',
    id,
    tenant: 'acme',
    token: 1n,
    attempt,
    lasting,
  });
  const stop = new AbortController();
  const handler = createPurgeHandler(deps);
  return {
    ...parts,
    world,
    handler,
    logged,
    spans,
    asked,
    stop,
    run: (id = ID) => {
      const held: HeldWork = {
        lease: leaseOf(id),
        shutdown: new AbortController().signal,
        isLost: () => false,
        watched: (_, work) => work(stop.signal, () => {}),
      };
      return handler.run(held);
    },
    failing: async (found: LoadedDataSource | null, attempt = 1, lasting = 0) =>
      afterFailure(deps, leaseOf(ID, attempt, lasting), found, new Error('the bucket is away')),
    found: () => loadDataSource(execute, ID),
    facts: () => parts.stored(`dataSource-${ID}`),
  };
};

describe('a lease on a deletion', () => {
  it('is done under a span of its own, whose trace the last fact carries, and counts what was removed', async () => {
    const { run, handler, world, spans, store, time } = await setUp(...DELETING);
    const given: unknown[] = [];
    world.purge = async (of) => {
      given.push(of);
      return REMOVED;
    };
    expect([handler.kind, handler.idName, await run()]).toEqual(['ingestion_purge', 'dataSourceId', 'gone']);
    const context = { tenant: 'acme', actor: { kind: 'worker', id: 'worker-1' }, traceparent: TRACE };
    expect(given).toEqual([
      { dataSourceId: ID, tenant: 'acme', context: expect.objectContaining(context) as object },
    ]);
    expect(spans).toEqual([
      ['deletion', expect.objectContaining({ tenant: 'acme' }), { 'knowledger.data_source_id': ID }],
    ]);
    const last = (await store.readStream(`dataSource-${ID}`)).at(-1)!;
    expect(last.data).toEqual({ ...REMOVED, at: time.now });
    expect(last.metadata).toMatchObject({ traceparent: TRACE });
  });

  it('is gone where nothing is, or is left, to be deleted', async () => {
    const { run, spans } = await setUp(...DELETING, purged);
    expect([await run(), await run(idOf(9)), isOver(null)]).toEqual(['gone', 'gone', 'gone']);
    expect(spans).toEqual([]);
  });

  it('tells the log that a newer version is to go on', async () => {
    const { run, world, stop, logged } = await setUp(...DELETING);
    world.purge = () => {
      stop.abort('outdated' satisfies StopReason);
      return Promise.reject(new Error('cut off'));
    };
    expect(await run()).toEqual({ ms: 2_000, transient: true });
    const error = 'a newer version of the service has written to the data source';
    const facts = { dataSourceId: ID, attempt: 1, error, transient: true, inSeconds: 2 };
    expect(logged).toEqual([['warn', 'deletion will be tried again', facts]]);
  });
});

describe('a deletion that failed', () => {
  it('whose request could not even be read is tried again, however often it has failed', async () => {
    const { failing, world, logged } = await setUp(...DELETING, purged);
    expect(await failing(null)).toEqual({ ms: 2_000, transient: true });
    world.transient = false;
    expect(await failing(null, 9, 2)).toEqual({ ms: 60_000, transient: false });
    const again = ['warn', 'deletion will be tried again', expect.anything()];
    expect(logged).toEqual([again, again]);
  });

  it('is given up once, and told as what it is', async () => {
    const { failing, found, facts, logged, world } = await setUp(...DELETING);
    world.transient = false;
    expect(await failing(await found(), 9, 2)).toBe('done');
    expect((await facts()).at(-1)).toMatchObject({ type: 'DataSourceDeletionFailed' });
    const about = { dataSourceId: ID, attempt: 9, error: 'the bucket is away' };
    expect(logged).toEqual([['error', 'deletion failed', about]]);
  });

  it('is over where somebody else has ended it while its failure was to be recorded', async () => {
    const { failing, found, world } = await setUp(...DELETING);
    Object.assign(world, {
      transient: false,
      run: () => Promise.reject(new DomainError('conflict', 'it is over')),
    });
    expect(await failing(await found(), 9, 2)).toBe('done');
  });

  it('is tried once more in a minute where its failure cannot be recorded', async () => {
    const { failing, found, world, logged } = await setUp(...DELETING);
    for (const refusal of [
      new Error('the store is away'),
      new DomainError('unavailable', 'ask the newer one'),
    ]) {
      logged.length = 0;
      Object.assign(world, { transient: false, run: () => Promise.reject(refusal) });
      expect(await failing(await found(), 9, 2)).toEqual({ ms: 60_000, transient: false });
      expect(logged[0]).toEqual([
        'warn',
        'a failed deletion could not be recorded',
        { dataSourceId: ID, error: refusal.message },
      ]);
    }
  });

  it('is refused by a conflict of the domain alone', () => {
    const conflict = Object.assign(new Error('of the database'), { code: 'conflict' });
    const errors = [new DomainError('conflict', ''), new DomainError('not_found', ''), conflict, 'conflict'];
    expect(errors.map(isRefused)).toEqual([true, false, false, false]);
  });
});

describe('looking after deletions', () => {
  it('takes up what was given up a day ago, and forgets what is no more', async () => {
    const { handler, world, time, asked, logged, facts } = await setUp(...DELETING, purgeFailed);
    world.failed = [idOf(9), ID];
    time.now += DELETION_REST;
    await handler.tidy!();
    expect(asked).toEqual([[time.now - DELETION_REST, 100], 'forgotten']);
    expect((await facts()).at(-1)).toMatchObject({ type: 'DataSourceDeletionRequested', at: time.now });
    expect(logged).toEqual([['info', 'deletion taken up again', { dataSourceId: ID }]]);
    // It was taken up by another process meanwhile, which nobody needs to be told.
    await handler.tidy!();
    expect(logged).toHaveLength(1);
  });

  it('leaves one that cannot be taken up, and tells the log which', async () => {
    const { handler, world, time, logged } = await setUp(...DELETING, purgeFailed);
    world.failed = [ID];
    time.now += DELETION_REST;
    world.run = () => Promise.reject(new Error('the store is away'));
    await handler.tidy!();
    const facts = { dataSourceId: ID, error: 'the store is away' };
    expect(logged).toEqual([['warn', 'a failed deletion was left', facts]]);
  });
});
