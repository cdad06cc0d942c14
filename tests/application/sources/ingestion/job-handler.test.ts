import { WorkLost } from '../../../../application/jobs/work-handler.ts';
import { FileStoreUnavailable } from '../../../../application/ports/file-store.ts';
import type { DataSourceCommand } from '../../../../domain/data-source/index.ts';
import { START, TO_LAST_ATTEMPT } from '../../../domain/data-source/job-steps.ts';
import { CALLER, COUNTS, DONE, ID, setUp } from './worker-on-a-job.ts';
import { describe, expect, it } from 'vitest';

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

  it('tells some seconds later at most what it has done, with one event for all of it', async () => {
    const { started, pass, finish, running, recorded } = await setUp();
    const { job } = await started;
    await job.begin();
    const told = async () =>
      (await recorded()).flatMap(({ type, data }) =>
        type === 'JobProgressed' ? [(data as { counts: typeof COUNTS }).counts.indexed] : [],
      );
    await pass(500);
    await job.progress({ ...COUNTS, indexed: 1 });
    await job.progress({ ...COUNTS, indexed: 2 });
    await pass(1_000);
    expect(await told()).toEqual([]);
    await pass(1_000);
    expect(await told()).toEqual([2]);
    await pass(5_000);
    expect(await told()).toEqual([2]);
    await job.progress({ ...COUNTS, indexed: 3 });
    expect(await told()).toEqual([2, 3]);
    await job.progress({ ...COUNTS, indexed: 4 });
    finish(DONE);
    await running;
    expect((await recorded()).at(-1)).toMatchObject({ type: 'JobSucceeded' });
    expect(await told()).toEqual([2, 3]);
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

  it('keeps its lease while it waits for a store that is away, before the claim and to report the end', async () => {
    const { started, leave, back, finish, state, lookOut, reporting, running, sent, trail } = await setUp(
      [],
      undefined,
      true,
    );
    await lookOut();
    expect([state.renewals, sent]).toEqual([1, []]);
    back();
    await (await started).job.begin();
    leave();
    finish(DONE);
    await reporting;
    await lookOut();
    expect(state.renewals).toBe(2);
    back();
    await running;
    await lookOut();
    expect(state.renewals).toBe(2);
    expect((await trail()).slice(2)).toEqual(['JobClaimed', 'JobStarted', 'JobSucceeded']);
  });

  it('knows that its lease ran out while it was frozen before anything has told it', async () => {
    const { started, state, running, trail } = await setUp();
    const { job, signal } = await started;
    state.now += 54_000;
    job.assertLeaseHeld();
    state.now += 2_000;
    expect(job.assertLeaseHeld).toThrow(WorkLost);
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

  const ERROR = { title: 'Unexpected error', message: 'it broke' };
  const held = (jobId: string) => ({ jobId, epoch: 1, error: ERROR, at: START + 1 });
  it.each<[string, (jobId: string) => DataSourceCommand, string]>([
    ['put back', (id) => ({ type: 'retry', reason: 'worker_lost', ...held(id) }), 'JobRequeued'],
    ['failed', (id) => ({ type: 'fail', code: 'broken', ...held(id) }), 'JobFailed'],
  ])('stops when another process has %s the job, and writes nothing more', async (_, command, written) => {
    const { started, send, lookOut, running, trail, sent } = await setUp();
    const { job, signal } = await started;
    await send(command(job.state.jobId));
    await lookOut();
    expect(signal.reason).toBe('fenced');
    await running;
    expect([(await trail()).slice(2), sent]).toEqual([['JobClaimed', written], ['claim']]);
  });

  it('stops when a newer version of the program has written to the data source, and leaves the job to that', async () => {
    const { started, lookOut, running, trail, writeAsNewer, sent } = await setUp();
    const { signal } = await started;
    await writeAsNewer();
    await lookOut();
    expect(signal.reason).toBe('outdated');
    await running;
    expect((await trail()).slice(2)).toEqual(['JobClaimed', 'FactOfTomorrow']);
    expect(sent).toEqual(['claim']);
  });

  it('asks for another attempt when the work breaks, and gives up on what is final', async () => {
    const broken = await setUp();
    await broken.started;
    broken.fail(new Error('no such column'));
    await broken.running;
    expect((await broken.recorded()).at(-1)).toMatchObject({
      type: 'JobRequeued',
      data: { attempt: 2, reason: 'transient_error' },
    });
    const final = await setUp();
    await final.started;
    const error = { title: 'Blocked by robots.txt', message: 'no' } as const;
    final.finish({ kind: 'failed', code: 'robots', error });
    await final.running;
    expect((await final.recorded()).at(-1)).toMatchObject({
      type: 'JobFailed',
      data: { code: 'robots', error },
    });
  });

  it('tells the log that a job waits for its provider, and until when', async () => {
    const { started, finish, running, infos, recorded, state } = await setUp();
    await started;
    const error = { title: 'Provider not reachable', message: 'the host asks to come back' } as const;
    const notBefore = state.now + 600_000;
    finish({ kind: 'transient', error, notBefore });
    await running;
    expect(infos).toEqual([['job will be retried', { dataSourceId: ID, error: error.message, notBefore }]]);
    expect((await recorded()).at(-1)).toMatchObject({ type: 'JobRequeued' });
  });

  it('tells what broke it, when no attempt is left, under a title that says what happened', async () => {
    for (const [error, title] of [
      [new FileStoreUnavailable('overloaded', 'no room'), 'Storage not available'],
      [new Error('no such column'), 'Unexpected error'],
    ] as const) {
      const { started, fail, running, recorded } = await setUp(TO_LAST_ATTEMPT);
      await started;
      fail(error);
      await running;
      expect((await recorded()).at(-1)).toMatchObject({
        type: 'JobFailed',
        data: { code: 'transient_error', error: { title, message: `the job broke off: ${error.message}` } },
      });
    }
  });

  it('counts the time that the answer to a renewal took against its lease', async () => {
    const { started, state, lookOut } = await setUp();
    const { job, signal } = await started;
    state.renewalMs = 40_000;
    await lookOut();
    expect(signal.aborted).toBe(false);
    // 56 s after the lease was asked for, though only 16 s after it was granted.
    state.now += 16_000;
    expect(job.assertLeaseHeld).toThrow(WorkLost);
  });
});

type World = Awaited<ReturnType<typeof setUp>>;

const later = ({ state }: World) => state.now + 1;

const cancel = (world: World) => world.send({ type: 'cancel', at: later(world) });

const WORKER = { actor: { kind: 'worker', id: 'worker-1' } };

/** What the newest event says: by whom the job was canceled, and with which error. */
const endOf = async ({ running, recorded }: World) => {
  await running;
  const { type, data, metadata } = (await recorded()).at(-1)!;
  return { type, by: data['by'], error: data['error'], actor: metadata['actor'] };
};

const PLAIN = { type: 'JobCanceled', by: 'worker', error: undefined, ...WORKER };

/** The work goes on until this refuses it, as real work does. */
const goesOn = async ({ started, fail }: World, step: 'begin' | 'progress'): Promise<void> => {
  const { job } = await started;
  const lost = await (step === 'begin' ? job.begin() : job.progress(COUNTS)).catch((error: unknown) => error);
  expect(lost).toBeInstanceOf(WorkLost);
  fail(lost as Error);
};

describe('a cancel', () => {
  it('is answered by a worker that has lost its lease, as long as nobody else has', async () => {
    const world = await setUp();
    await (await world.started).job.begin();
    await cancel(world);
    world.state.lease = 'refused';
    await world.lookOut();
    expect((await world.started).signal.reason).toBe('lease_lost');
    expect(await endOf(world)).toEqual(PLAIN);
  });

  it('is not answered by a worker whose job another one has claimed', async () => {
    const world = await setUp();
    const { job } = await world.started;
    const { jobId } = job.state;
    await world.send({ type: 'retry', reason: 'worker_stopped', jobId, epoch: 1, at: later(world) });
    await world.send({ type: 'claim', workerId: 'worker-2', at: later(world) });
    await cancel(world);
    await goesOn(world, 'begin');
    await world.running;
    expect((await world.trail()).at(-1)).toBe('JobCancelRequested');
  });

  it('of a job that waits needs no answer: the worker that comes too late finds nothing to claim', async () => {
    const world = await setUp([(_, at) => ({ type: 'cancel', at })]);
    await world.running;
    expect((await world.recorded()).slice(2)).toMatchObject([
      { type: 'JobCanceled', data: { by: 'caller' }, metadata: { actor: { kind: 'api_key' } } },
    ]);
  });
});
