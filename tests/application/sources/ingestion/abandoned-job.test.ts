import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../support/memory/event-store.ts';
import { createEventCodec } from '../../../../application/event-sourcing/event-codec.ts';
import { createExecute } from '../../../../application/event-sourcing/execute.ts';
import type { JobClaim } from '../../../../application/sources/ingestion/abandoned-job.ts';
import {
  retryFailedDeletions,
  retryLostJobs,
} from '../../../../application/sources/ingestion/retry-failed.ts';
import { createJobHandler } from '../../../../application/sources/ingestion/job-handler.ts';
import type { Abandoned } from '../../../../application/ports/leases.ts';
import { dataSourceStream } from '../../../../application/event-sourcing/streams.ts';
import { sweepAbandoned } from '../../../../application/jobs/load-work.ts';
import { dataSource, type DataSourceState } from '../../../../domain/data-source/index.ts';
import {
  begun,
  canceled,
  claimed,
  completed,
  created,
  deleted,
  failed,
  handedOff,
  purgeFailed,
  START,
  type Step,
  STEP_MS,
  synced,
} from '../../../domain/data-source/job-steps.ts';
import { countingIds } from '../../../support/ids.ts';
import { retryingExecute } from '../../../support/retrying-execute.ts';
import { CALLER } from './worker-on-a-job.ts';

const DAY = 86_400_000;
const idOf = (n: number): string => `01a1fb75-64cc-71f4-80d9-00000000000${n}`;

/** How an abandoned job is found, by the reason that this is. */
const FOUND = {
  worker_lost: { worker: 'lost', overdue: false },
  worker_stopped: { worker: 'stopped', overdue: false },
  timed_out: { worker: 'alive', overdue: true },
  cancel_timed_out: { worker: 'alive', overdue: true },
  executor_silent: { worker: 'lost', overdue: true },
} as const;

const setUp = () => {
  const store = createMemoryEventStore(() => START);
  const codec = createEventCodec();
  const executeAtOnce = createExecute({ store, codec, ids: countingIds() });
  const logged: (readonly [string, unknown?])[] = [];
  const world = {
    now: START + DAY,
    abandoned: [] as Abandoned[],
    failed: [] as string[],
    lost: [] as { readonly dataSourceId: string; readonly jobId: string }[],
    before: 0,
    heardAt: 0,
  };
  const deps = {
    store,
    codec,
    executeAtOnce,
    owner: 'worker-1',
    clock: { now: () => world.now },
    log: {
      info: (message: string) => void logged.push([message]),
      warn: (message: string, fields?: unknown) => void logged.push([message, fields]),
      error: () => {},
    },
    itemStore: { lastHeartbeat: async () => world.heardAt },
    leases: { abandoned: async () => world.abandoned },
    ids: countingIds(),
    lostJobs: {
      failed: async (before: number) => {
        world.before = before;
        return world.lost;
      },
    },
    deletions: {
      failed: async (before: number) => {
        world.before = before;
        return world.failed.map((dataSourceId) => ({ dataSourceId, tenant: 'acme' }));
      },
    },
  };
  const sweep = () => {
    const execute = retryingExecute(executeAtOnce, executeAtOnce);
    const never = { tracing: null as never, sleep: null as never, ingest: null as never };
    const unused = { execute, ...never, isTransient: () => false };
    return sweepAbandoned({ ...deps, handlers: [createJobHandler({ ...deps, ...unused })] });
  };
  /** A data source after these steps, STEP_MS apart; answers its state. */
  const after = async (n: number, ...steps: readonly Step[]): Promise<DataSourceState> => {
    let state = dataSource.initial;
    for (const [i, step] of steps.entries()) {
      const command = step(state, START + i * STEP_MS);
      ({ state } = await executeAtOnce(dataSource, dataSourceStream(idOf(n)), command, CALLER));
    }
    return state;
  };
  const abandon = async (
    n: number,
    status: JobClaim['status'],
    reason: keyof typeof FOUND,
    ...steps: readonly Step[]
  ): Promise<void> => {
    const state = await after(n, ...steps);
    if (state.status === 'none') throw new Error('there is no such job');
    const { epoch, job } = state;
    const claim: JobClaim = { status, jobId: job.jobId, epoch };
    world.abandoned.push({ kind: 'ingestion_job', id: idOf(n), tenant: 'acme', claim, ...FOUND[reason] });
  };
  const last = async (n: number) => (await store.readStream(dataSourceStream(idOf(n)))).at(-1)!;
  return { world, deps, sweep, after, abandon, last, logged, store };
};

const STARTED = [created, claimed, begun];
const CASES = [
  [
    'a worker that stopped answering',
    ['started', 'worker_lost', STARTED],
    {
      type: 'JobRequeued',
      data: {
        reason: 'worker_lost',
        attempt: 2,
        error: { title: 'Worker lost', message: 'the worker stopped answering' },
      },
    },
  ],
  [
    'a worker that was stopped',
    ['started', 'worker_stopped', STARTED],
    { type: 'JobRequeued', data: { reason: 'worker_stopped', attempt: 1 } },
  ],
  [
    'a start that takes too long',
    ['starting', 'timed_out', [created, claimed]],
    {
      type: 'JobRequeued',
      data: {
        reason: 'timed_out',
        attempt: 2,
        error: { title: 'Timed out', message: 'the job did not start within 180 s' },
      },
    },
  ],
  [
    'a job that runs for a day',
    ['started', 'timed_out', STARTED],
    {
      type: 'JobFailed',
      data: { code: 'timed_out', error: { title: 'Timed out', message: 'the job ran for 24 hours' } },
    },
  ],
  [
    'a cancel that nobody answers in time',
    ['canceling', 'cancel_timed_out', [...STARTED, canceled]],
    { type: 'JobCanceled', data: { by: 'timeout' } },
  ],
  [
    'a cancel whose worker is lost',
    ['canceling', 'worker_lost', [...STARTED, canceled]],
    { type: 'JobCanceled', data: { by: 'worker_lost' } },
  ],
  [
    'an executor outside that is silent for half an hour',
    ['managed', 'executor_silent', [created, handedOff]],
    { type: 'JobStatusLost', data: {} },
  ],
] as const;

describe('the sweeper', () => {
  it.each(CASES)(
    'ends %s by the command that fits, in its own name',
    async (_, [status, reason, steps], end) => {
      const { sweep, abandon, last, logged } = setUp();
      await abandon(1, status, reason, ...steps);
      await sweep();
      const event = await last(1);
      expect(event).toMatchObject({ ...end, metadata: { actor: { kind: 'system', id: 'sweeper' } } });
      expect(event.data['error']).toEqual('error' in end.data ? end.data.error : undefined);
      expect(logged).toEqual([['abandoned job', { dataSourceId: idOf(1), reason }]]);
    },
  );

  it('leaves a job whose limit passed as it was canceled to the worker that has been asked', async () => {
    const { sweep, abandon, last } = setUp();
    await abandon(1, 'starting', 'timed_out', created, claimed, canceled);
    await sweep();
    expect((await last(1)).type).toBe('JobCancelRequested');
  });
});

describe('an executor outside', () => {
  const HALF_AN_HOUR = 1_800_000;

  it('is not lost while it reports what leads to no event', async () => {
    const { world, sweep, abandon, last } = setUp();
    await abandon(1, 'managed', 'executor_silent', created, handedOff);
    world.heardAt = world.now - HALF_AN_HOUR + 1;
    await sweep();
    expect((await last(1)).type).toBe('JobHandedOff');
    world.now += 1;
    await sweep();
    expect((await last(1)).type).toBe('JobStatusLost');
  });

  it('is not lost for a job that has ended, or been followed by another', async () => {
    const { world, sweep, abandon, last, logged } = setUp();
    await abandon(1, 'managed', 'executor_silent', created, handedOff, completed);
    await abandon(2, 'managed', 'executor_silent', created, handedOff, completed, synced, handedOff);
    const [, second] = world.abandoned;
    Object.assign(second!, { claim: { status: 'managed', jobId: `job-${START}`, epoch: 1 } });
    await sweep();
    expect([(await last(1)).type, (await last(2)).type]).toEqual(['JobSucceeded', 'JobHandedOff']);
    expect(logged).toEqual([]);
  });
});

describe('a failed deletion', () => {
  const FAILED = [created, deleted, purgeFailed];
  const FAILED_AT = START + 2 * STEP_MS;

  it('is taken up by itself after a day, and the event says by whom', async () => {
    const { world, deps, after, last, logged } = setUp();
    await after(1, ...FAILED);
    world.failed = [idOf(1)];
    world.now = FAILED_AT + DAY;
    await retryFailedDeletions(deps);
    expect(world.before).toBe(FAILED_AT);
    expect(await last(1)).toMatchObject({
      type: 'DataSourceDeletionRequested',
      data: { interrupted_job_id: null, at: FAILED_AT + DAY },
      metadata: { actor: { kind: 'system', id: 'sweeper' }, tenant: 'acme' },
    });
    expect(logged).toEqual([['deletion taken up again']]);
  });
});

describe('a job that failed because its workers were lost', () => {
  it('is queued again by itself after a day, once, and the event says by whom', async () => {
    const { world, deps, after, last, logged } = setUp();
    await after(1, created, claimed, begun, failed);
    world.lost = [{ dataSourceId: idOf(1), jobId: `job-${START}` }];
    await retryLostJobs(deps);
    expect(world.before).toBe(world.now - DAY);
    const queued = {
      type: 'JobQueued',
      data: { trigger: 'recovery', mode: 'incremental', attempt: 1, generation: 2 },
      metadata: { actor: { kind: 'system', id: 'sweeper' }, tenant: 'acme' },
    };
    expect(await last(1)).toMatchObject(queued);
    await retryLostJobs(deps);
    expect(logged).toEqual([['lost job taken up again']]);
  });
});
