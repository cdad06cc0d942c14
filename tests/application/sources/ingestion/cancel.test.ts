import { describe, expect, it } from 'vitest';
import { WorkLost } from '../../../../application/jobs/work-handler.ts';
import { COUNTS, setUp } from './worker-on-a-job.ts';

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
  it('that comes between the claim and the beginning is answered by the worker whose beginning is refused', async () => {
    const world = await setUp();
    await world.started;
    await cancel(world);
    await goesOn(world, 'begin');
    expect(await endOf(world)).toEqual(PLAIN);
  });

  it('is answered whatever report is refused for it', async () => {
    const world = await setUp();
    const { job } = await world.started;
    await cancel(world);
    world.fail(new WorkLost('a progress was refused'));
    expect(await endOf(world)).toEqual(PLAIN);
    // The end does not undo it: a late word is refused, and no second answer is given.
    await expect(job.begin()).rejects.toThrow(WorkLost);
    expect((await world.trail()).filter((type) => type === 'JobCanceled')).toHaveLength(1);
  });

  it('that nobody has seen yet when the service stops is one all the same', async () => {
    const world = await setUp();
    await (await world.started).job.begin();
    await cancel(world);
    world.shutdown.abort();
    expect((await world.started).signal.reason).toBe('shutdown');
    expect(await endOf(world)).toEqual(PLAIN);
  });

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
