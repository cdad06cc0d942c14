import { describe, expect, it } from 'vitest';
import { createJobHandler } from '../../../../application/sources/ingestion/job-handler.ts';
import type { Job, JobOutcome } from '../../../../application/sources/ingestion/job.ts';
import type { Claim, HeldWork, StopReason } from '../../../../application/jobs/work-handler.ts';
import type { Abandoned } from '../../../../application/ports/leases.ts';
import { NO_COUNTS } from '../../../../domain/data-source/index.ts';
import { created, type Step } from '../../../domain/data-source/job-steps.ts';
import { idOf, memoryParts } from '../../../support/memory-parts.ts';
import { retryingExecute } from '../../../support/retrying-execute.ts';

const ID = idOf(1);
const COUNTS = { ...NO_COUNTS, seen: 2, indexed: 2 };
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const ERROR = { title: 'Provider not reachable', message: 'it is away' } as const;

/** A worker that holds a data source after these steps. `ingest` does its job; the signal is the test's. */
const setUp = async (...steps: readonly Step[]) => {
  const parts = memoryParts();
  await parts.dataSource(ID, steps);
  const { execute } = parts;
  const logged: unknown[] = [];
  const spans: unknown[] = [];
  const note =
    (level: string) =>
    (...told: unknown[]) =>
      void logged.push([level, ...told]);
  const stop = new AbortController();
  const world = {
    ingest: async (_job: Job): Promise<JobOutcome> => ({ kind: 'completed', counts: COUNTS }),
    transient: false,
    claim: null as Claim | null,
    heardAt: async (_id: string): Promise<number> => 0,
  };
  const handler = createJobHandler({
    execute: retryingExecute(execute, execute),
    executeAtOnce: execute,
    clock: parts.clock,
    owner: 'worker-1',
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    tracing: {
      inSpan: async (...of) => {
        spans.push(of.slice(0, 3));
        return of[3](TRACE);
      },
    },
    isTransient: () => world.transient,
    itemStore: { heardAt: (id) => world.heardAt(id) },
    ingest: (job) => world.ingest(job),
  });
  const run = (id = ID, isLost = false) => {
    const lease = { kind: handler.kind, id, tenant: 'acme', token: 1n, attempt: 1, lasting: 0 };
    const held: HeldWork = {
      lease,
      shutdown: stop.signal,
      isLost: () => isLost,
      watched: (of, work) => {
        world.claim = of;
        return work(stop.signal, () => {});
      },
    };
    return handler.run(held);
  };
  return {
    ...parts,
    handler,
    world,
    run,
    stop,
    logged,
    spans,
    facts: () => parts.stored(`dataSource-${ID}`),
    abandoned: (claim: object, more: Partial<Abandoned> = {}, id = ID) =>
      handler.abandoned!({
        kind: handler.kind,
        id,
        tenant: 'acme',
        worker: 'lost',
        overdue: true,
        claim,
        ...more,
      }),
  };
};

describe('a lease on a job', () => {
  it('is watched from the claim on, for what only somebody else can have written', async () => {
    const { run, world, codec } = await setUp(created);
    await run();
    const { stream, revision, stopReason } = world.claim!;
    expect([stream, revision]).toEqual([`dataSource-${ID}`, 2n]);
    const reasons = (type: string, more: object = {}): StopReason | undefined =>
      stopReason(codec.decode({ type, data: { epoch: 1, ...more } }));
    expect(reasons('JobCancelRequested')).toBe('canceled');
    expect(reasons('DataSourceDeletionRequested')).toBe('deleted');
    expect([reasons('JobClaimed'), reasons('JobClaimed', { epoch: 2 })]).toEqual([undefined, 'fenced']);
    const ends = ['JobRequeued', 'JobFailed', 'JobCanceled', 'JobHandedOff', 'JobStatusLost'];
    expect(ends.map((type) => reasons(type, { epoch: 2 }))).toEqual(ends.map(() => 'fenced'));
    const others = ['JobStarted', 'JobProgressed', 'FilesUploaded', 'ScheduleTickSkipped'];
    expect(others.map((type) => reasons(type, { epoch: 2 }))).toEqual(others.map(() => undefined));
  });

  it('tells the log what broke it: as a warning where it may pass, with where in the program', async () => {
    for (const [transient, level, message, title] of [
      [true, 'warn', 'a job broke off, and will be tried again', 'Storage not available'],
      [false, 'error', 'job broke', 'Unexpected error'],
    ] as const) {
      const { run, world, logged, facts } = await setUp(created);
      Object.assign(world, { transient, ingest: () => Promise.reject(new Error('no such column')) });
      await run();
      const where = expect.stringMatching(/^Error: no such column\n\s+at /) as string;
      expect(logged).toEqual([[level, message, { dataSourceId: ID, error: where }]]);
      const error = { title, message: 'the job broke off: no such column' };
      expect((await facts()).at(-1)).toMatchObject({ type: 'JobRequeued', error });
    }
    const { run, world, logged } = await setUp(created);
    const without = Object.assign(new Error('no such column'), { stack: undefined });
    Object.assign(world, { ingest: () => Promise.reject(without) });
    await run();
    expect(logged).toEqual([['error', 'job broke', { dataSourceId: ID, error: 'Error: no such column' }]]);
  });

  it('that waits for its provider tells until when, where that is known', async () => {
    const { run, world, logged } = await setUp(created);
    world.ingest = async () => ({ kind: 'transient', error: ERROR });
    await run();
    const facts = { dataSourceId: ID, error: ERROR.message };
    expect(logged).toEqual([['info', 'a job waits, and will be tried again', facts]]);
    expect(Object.keys((logged[0] as readonly object[])[2]!)).toEqual(['dataSourceId', 'error']);
  });
});

describe('a job that was found abandoned', () => {
  const managed = (jobId: string) => ({ status: 'managed', jobId, epoch: 1 });

  it('is nothing where its data source is not there', async () => {
    const { abandoned, store, logged } = await setUp();
    await abandoned(managed('j'));
    expect([await store.head(), logged]).toEqual(['', []]);
  });
});
