import { describe, expect, it } from 'vitest';
import type { Execute, Run } from '../../../../application/event-sourcing/execute.ts';
import { afterFailure, isOver } from '../../../../application/sources/ingestion/failed-purge.ts';
import {
  type LoadedDataSource,
  loadDataSource,
  type Purge,
} from '../../../../application/sources/ingestion/job.ts';
import { createPurgeHandler } from '../../../../application/sources/ingestion/purge-handler.ts';
import type { HeldWork } from '../../../../application/jobs/work-handler.ts';
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
  it('is gone where nothing is, or is left, to be deleted', async () => {
    const { run, spans } = await setUp(...DELETING, purged);
    expect([await run(), await run(idOf(9)), isOver(null)]).toEqual(['gone', 'gone', 'gone']);
    expect(spans).toEqual([]);
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

  it('is over where somebody else has ended it while its failure was to be recorded', async () => {
    const { failing, found, world } = await setUp(...DELETING);
    Object.assign(world, {
      transient: false,
      run: () => Promise.reject(new DomainError('conflict', 'it is over')),
    });
    expect(await failing(await found(), 9, 2)).toBe('done');
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
});
