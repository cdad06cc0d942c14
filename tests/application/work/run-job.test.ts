import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../adapters/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-codec.ts';
import type { CommandContext } from '../../../application/event-metadata.ts';
import { createExecute } from '../../../application/execute.ts';
import type { Lease } from '../../../application/ports/work-leases.ts';
import { dataSourceStream } from '../../../application/streams.ts';
import { type Job, JobLost, type JobOutcome } from '../../../application/work/job.ts';
import { runLeasedJob } from '../../../application/work/run-job.ts';
import { dataSource, type DataSourceCommand, NO_COUNTS } from '../../../domain/data-source/index.ts';
import { created, START } from '../../domain/data-source/job-steps.ts';
import { countingIds } from '../../support/ids.ts';

const ID = '01a1fb75-64cc-71f4-80d9-5adbfbf54f87';
const STREAM = dataSourceStream(ID);
const LEASE: Lease = { data_source_id: ID, tenant: 'acme', token: 1n, purpose: 'run', attempt: 1 };
const CALLER: CommandContext = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'k' },
  correlationId: 'request-1',
  causationId: 'request-1',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};
const COUNTS = { ...NO_COUNTS, seen: 1, indexed: 1 };
const DONE: JobOutcome = { kind: 'completed', counts: COUNTS };

/** A worker on a queued job. Its look-outs run when the test calls them, its work ends when the test says so. */
const setUp = async () => {
  const store = createMemoryEventStore(() => START);
  const codec = createEventCodec();
  const execute = createExecute({ store, codec, ids: countingIds() });
  const send = (command: DataSourceCommand, context = CALLER) =>
    execute(dataSource, STREAM, command, context);
  await send(created(dataSource.initial, START));
  const lookOuts: (() => Promise<void>)[] = [];
  const state = { now: START, lease: 'held' as 'held' | 'refused' | 'unanswered' };
  const shutdown = new AbortController();
  let finish: (outcome: JobOutcome) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const work = Promise.withResolvers<{ job: Job; signal: AbortSignal }>();
  const deps = {
    leases: {
      renew: async () => {
        if (state.lease === 'unanswered') throw new Error('the database does not answer');
        return state.lease === 'held';
      },
    } as never,
    store,
    patientStore: store,
    codec,
    execute,
    owner: 'worker-1',
    leaseMs: 60_000,
    clock: { now: () => state.now },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    tracing: {
      inSpan: <T>(_: string, __: object, ___: object, run: (t: undefined) => Promise<T>) => run(undefined),
    },
    every: (_: number, run: () => Promise<void>) => {
      lookOuts.push(run);
      return { stop: () => {} };
    },
    jobs: {
      crawl: (job: Job, signal: AbortSignal) =>
        new Promise<JobOutcome>((resolve, reject) => {
          finish = resolve;
          fail = reject;
          signal.addEventListener('abort', () => reject(signal.reason));
          work.resolve({ job, signal });
        }),
    },
  };
  const running = runLeasedJob(deps, LEASE, shutdown.signal);
  return {
    send,
    state,
    shutdown,
    running,
    started: work.promise,
    finish: (outcome: JobOutcome) => finish(outcome),
    fail: (error: Error) => fail(error),
    lookOut: async () => {
      for (const look of lookOuts) await look().catch(() => {});
    },
    trail: async () => (await store.readStream(STREAM)).map(({ type }) => type),
    recorded: () => store.readStream(STREAM),
  };
};

describe('a worker that holds a job', () => {
  it('claims, begins and completes it in the trace and correlation of the request', async () => {
    const { started, finish, running, trail, recorded } = await setUp();
    await (await started).job.begin();
    finish(DONE);
    await running;
    expect((await trail()).slice(2)).toEqual(['JobClaimed', 'JobStarted', 'JobSucceeded']);
    for (const { metadata } of await recorded()) {
      expect(metadata).toMatchObject({ $correlationId: 'request-1', traceparent: CALLER.traceparent });
    }
  });

  it('stops when a cancel is asked for, and says so', async () => {
    const { started, send, lookOut, running, trail } = await setUp();
    const { signal } = await started;
    await send({ type: 'cancel', at: START + 1 });
    await lookOut();
    expect(signal.reason).toBe('canceled');
    await running;
    expect((await trail()).slice(2)).toEqual(['JobClaimed', 'JobCancelRequested', 'JobCanceled']);
  });

  it('succeeds when it had finished before it saw the cancel', async () => {
    const { started, send, finish, running, trail } = await setUp();
    await (await started).job.begin();
    await send({ type: 'cancel', at: START + 1 });
    finish(DONE);
    await running;
    expect((await trail()).at(-1)).toBe('JobSucceeded');
  });

  it('puts the job back on an orderly stop', async () => {
    const { started, shutdown, running, recorded } = await setUp();
    await started;
    shutdown.abort();
    await running;
    expect((await recorded()).at(-1)).toMatchObject({
      type: 'JobRequeued',
      data: { attempt: 1, reason: 'worker_stopped' },
    });
  });

  it('writes nothing more when its lease is lost, by word or by silence', async () => {
    for (const lease of ['refused', 'unanswered'] as const) {
      const { started, state, lookOut, running, trail } = await setUp();
      const { signal } = await started;
      state.lease = lease;
      await lookOut();
      expect(signal.aborted).toBe(lease === 'refused');
      state.now += 56_000;
      await lookOut();
      expect(signal.reason).toBe('lease_lost');
      await running;
      expect((await trail()).slice(2)).toEqual(['JobClaimed']);
    }
  });

  it('knows that its lease ran out while it was frozen before anything has told it', async () => {
    const { started, state, running, trail } = await setUp();
    const { job, signal } = await started;
    state.now += 54_000;
    job.stillOurs();
    state.now += 2_000;
    expect(job.stillOurs).toThrow(JobLost);
    expect(signal.reason).toBe('lease_lost');
    await running;
    expect((await trail()).slice(2)).toEqual(['JobClaimed']);
  });

  it('stops when another worker has claimed the job, or the data source is deleted', async () => {
    const deleted = await setUp();
    const { signal } = await deleted.started;
    await deleted.send({ type: 'delete', at: START + 1 });
    await deleted.lookOut();
    expect(signal.reason).toBe('deleted');
    await deleted.running;
    expect((await deleted.trail()).at(-1)).toBe('DataSourceDeletionRequested');
  });

  it('asks for another attempt when the work breaks, and gives up on what is final', async () => {
    const broken = await setUp();
    await broken.started;
    broken.fail(new Error('disk full'));
    await broken.running;
    expect((await broken.recorded()).at(-1)).toMatchObject({
      type: 'JobRequeued',
      data: { attempt: 2, reason: 'transient_error' },
    });
    const final = await setUp();
    await final.started;
    const error = { title: 'Blocked by robots.txt', message: 'no' };
    final.finish({ kind: 'failed', code: 'robots', error });
    await final.running;
    expect((await final.recorded()).at(-1)).toMatchObject({
      type: 'JobFailed',
      data: { code: 'robots', error },
    });
  });

  it('records progress at most every two seconds', async () => {
    const { started, state, finish, running, trail } = await setUp();
    const { job } = await started;
    await job.begin();
    for (const later of [2_000, 100, 100, 2_000]) {
      state.now += later;
      await job.progress(COUNTS);
    }
    finish(DONE);
    await running;
    expect((await trail()).filter((type) => type === 'JobProgressed')).toHaveLength(2);
  });
});
