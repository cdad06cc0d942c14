import { afterEach, describe, expect, it } from 'vitest';
import { type LeasesWorld, NOW, openLeases } from './leases-world.ts';

const worlds: LeasesWorld[] = [];
const open = async () => {
  const opened = await openLeases();
  worlds.push(opened);
  return opened;
};
afterEach(async () => {
  await Promise.all(worlds.splice(0).map(({ world }) => world.close()));
});

describe('work leases', () => {
  it('give a queued job to one owner at a time', async () => {
    const { leases, queue } = await open();
    const { id } = await queue();
    const claims = await Promise.all(['a', 'b', 'c', 'd'].map((owner) => leases.claim(owner, 5, 60_000)));
    expect(claims.flat().map((lease) => [lease.id, lease.kind, lease.attempt])).toEqual([
      [id, 'ingestion_job', 1],
    ]);
  });

  it('renew for their owner only while they live', async () => {
    const { leases, queue, expire } = await open();
    await queue();
    const [lease] = await leases.claim('a', 1, 60_000);
    expect(await leases.renew('a', lease!, 60_000)).toBe(true);
    expect(await leases.renew('b', lease!, 60_000)).toBe(false);
    await expire();
    expect(await leases.renew('a', lease!, 60_000)).toBe(false);
    const [next] = await leases.claim('b', 1, 60_000);
    expect(next!.token > lease!.token).toBe(true);
    expect(await leases.renew('a', lease!, 60_000)).toBe(false);
    await leases.release('a', lease!, 'done');
    expect(await leases.renew('b', next!, 60_000)).toBe(true);
  });

  it('serve the tenant with the fewest live leases first', async () => {
    const { leases, queue } = await open();
    for (let i = 0; i < 3; i++) await queue('big');
    const small = await queue('small');
    await leases.claim('a', 1, 60_000);
    const [next] = await leases.claim('a', 1, 60_000);
    expect(next?.id).toBe(small.id);
  });

  it('wait for the back-off of a requeued job', async () => {
    const { time, leases, queue, run } = await open();
    const { id, jobId } = await queue();
    await run(id, { type: 'claim', workerId: 'w', at: NOW });
    const error = { title: 'Worker lost', message: '' };
    await run(id, { type: 'retry', reason: 'worker_lost', error, jobId, epoch: 1, at: NOW });
    expect(await leases.claim('a', 1, 60_000)).toEqual([]);
    time.now = NOW + 10_000;
    expect(await leases.claim('a', 1, 60_000)).toHaveLength(1);
  });

  it('count the tries of a purge before it runs, and forget them when it is done', async () => {
    const { leases, queue, run, expire } = await open();
    const { id } = await queue();
    await run(id, { type: 'delete', at: NOW });
    for (const attempt of [1, 2, 3]) {
      const [lease] = await leases.claim('a', 1, 60_000);
      expect(lease).toMatchObject({ kind: 'ingestion_purge', attempt });
      await expire();
    }
    const [last] = await leases.claim('a', 1, 60_000);
    await leases.release('a', last!, 'done');
    const [fresh] = await leases.claim('a', 1, 60_000);
    expect(fresh?.attempt).toBe(1);
    await leases.release('a', fresh!, 'stopped');
    expect((await leases.claim('a', 1, 60_000))[0]?.attempt).toBe(1);
  });

  it('tell of jobs that are done outside once a limit has passed, since nobody holds them', async () => {
    const { time, abandoned, run, world } = await open();
    const id = world.ids.newId();
    const jobId = world.ids.newId();
    const registration = {
      subject: { kind: 'push' },
      ingestionSettingId: world.ids.newId(),
      metadata: [],
      ready: true,
    } as const;
    const executor = { executor: 'feeder', externalId: '' };
    const job = { jobId, trigger: 'create', mode: 'full', executor, at: NOW } as const;
    await run(id, { type: 'enqueue', registration, ...job });
    time.now = NOW + 1_799_999;
    expect(await abandoned(10)).toEqual([]);
    time.now = NOW + 1_800_000;
    expect(await abandoned(10)).toMatchObject([{ id, jobId, epoch: 1, reason: 'executor_silent' }]);
    await run(id, { type: 'cancel', at: time.now });
    time.now += 179_999;
    expect(await abandoned(10)).toEqual([]);
    time.now += 1;
    expect(await abandoned(10)).toMatchObject([{ id, status: 'canceling', reason: 'cancel_timed_out' }]);
  });

  it('tell which jobs nobody holds, and which outlived a limit', async () => {
    const { time, leases, abandoned, queue, run, expire } = await open();
    const { id, jobId } = await queue();
    await leases.claim('a', 1, 60_000);
    await run(id, { type: 'claim', workerId: 'a', at: NOW });
    expect(await abandoned(10)).toEqual([]);
    time.now = NOW + 180_000;
    expect(await abandoned(10)).toMatchObject([{ jobId, epoch: 1, status: 'starting', reason: 'timed_out' }]);
    await expire();
    expect(await abandoned(10)).toMatchObject([{ reason: 'worker_lost' }]);
    await run(id, { type: 'cancel', at: NOW });
    expect(await abandoned(10)).toMatchObject([{ status: 'canceling', reason: 'cancel_timed_out' }]);
    time.now = NOW + 179_999;
    expect(await abandoned(10)).toMatchObject([{ status: 'canceling', reason: 'worker_lost' }]);
  });

  it('leave a started job alone as long as it is held, until it has run for a day', async () => {
    const { time, leases, abandoned, queue, run } = await open();
    const { id, jobId } = await queue();
    await leases.claim('a', 1, 60_000);
    await run(id, { type: 'claim', workerId: 'a', at: NOW });
    await run(id, { type: 'begin', jobId, epoch: 1, at: NOW });
    for (const held of [180_000, 3_600_000, 24 * 3_600_000 - 1]) {
      time.now = NOW + held;
      expect(await abandoned(10)).toEqual([]);
    }
    time.now = NOW + 24 * 3_600_000;
    expect(await abandoned(10)).toMatchObject([{ jobId, status: 'started', reason: 'timed_out' }]);
  });

  it('tell a worker that was told to stop from one that was lost, until somebody takes the job up', async () => {
    const { leases, abandoned, queue, run, expire } = await open();
    const { id, jobId } = await queue();
    await leases.claim('a', 1, 60_000);
    await run(id, { type: 'claim', workerId: 'a', at: NOW });
    await leases.leave('another');
    await leases.leave('a');
    expect(await abandoned(10)).toEqual([]);
    await expire();
    expect(await abandoned(10)).toMatchObject([{ jobId, reason: 'worker_stopped' }]);
    await run(id, { type: 'retry', reason: 'worker_stopped', jobId, epoch: 1, at: NOW });
    await leases.claim('b', 1, 60_000);
    await run(id, { type: 'claim', workerId: 'b', at: NOW });
    await expire();
    expect(await abandoned(10)).toMatchObject([{ reason: 'worker_lost' }]);
  });

  it('leave a job that waits alone, however long it waits behind others', async () => {
    const { time, leases, abandoned, queue } = await open();
    await queue();
    const { id } = await queue();
    await leases.claim('a', 1, 60_000);
    time.now = NOW + 30 * 86_400_000;
    expect(await abandoned(10)).toEqual([]);
    expect(await leases.claim('b', 1, 60_000)).toMatchObject([{ id, attempt: 1 }]);
  });

  it('are taken from owners that are known to be dead', async () => {
    const { leases, queue } = await open();
    await queue();
    await leases.claim('dead', 1, 60_000);
    expect(await leases.takeOver('me')).toBe(1);
    expect(await leases.claim('me', 1, 60_000)).toHaveLength(1);
    expect(await leases.takeOver('me')).toBe(0);
  });
});
