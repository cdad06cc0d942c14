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

  it('leave a job that waits alone, however long it waits behind others', async () => {
    const { time, leases, abandoned, queue } = await open();
    await queue();
    const { id } = await queue();
    await leases.claim('a', 1, 60_000);
    time.now = NOW + 30 * 86_400_000;
    expect(await abandoned(10)).toEqual([]);
    expect(await leases.claim('b', 1, 60_000)).toMatchObject([{ id, attempt: 1 }]);
  });
});
