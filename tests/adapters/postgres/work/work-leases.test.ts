import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import {
  dataSourceProjection,
  ingestionSettingProjection,
} from '../../../../adapters/postgres/projections/views.ts';
import { createWorkLeases } from '../../../../adapters/postgres/work/work-leases.ts';
import { dataSourceStream } from '../../../../application/streams.ts';
import { type DataSourceCommand, dataSource } from '../../../../domain/data-source/index.ts';
import { openWorld, type World } from '../../../support/world.ts';

const worlds: World[] = [];
const NOW = 1_000_000;
let now = NOW;
const open = async () => {
  now = NOW;
  const world = await openWorld([dataSourceProjection, ingestionSettingProjection]);
  worlds.push(world);
  world.project(dataSourceProjection);
  const leases = createWorkLeases(world.db, { now: () => now });
  const run = async (id: string, command: DataSourceCommand, tenant = 'acme') => {
    const context = {
      tenant,
      actor: { kind: 'system', id: 't' },
      correlationId: 'c',
      causationId: 'c',
    } as const;
    const done = await world.execute(dataSource, dataSourceStream(id), command, context);
    await world.gate.reached(['data_source'], done.position, 10_000);
    return done.state;
  };
  const queue = async (tenant = 'acme') => {
    const id = world.ids.newId();
    const registration = {
      subject: { kind: 'crawl', start_url: 'https://example.com/' },
      ingestion_setting_id: world.ids.newId(),
      metadata: [],
      ready: true,
    } as const;
    const job_id = world.ids.newId();
    await run(
      id,
      { type: 'enqueue', registration, job_id, trigger: 'create', mode: 'full', at: NOW - 10 },
      tenant,
    );
    return { id, job_id };
  };
  const expire = () => sql`update work.lease set until = now()`.execute(world.db);
  return { world, leases, run, queue, expire };
};
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

describe('work leases', () => {
  it('give a queued job to one owner at a time', async () => {
    const { leases, queue } = await open();
    const { id } = await queue();
    const claims = await Promise.all(['a', 'b', 'c', 'd'].map((owner) => leases.claim(owner, 5, 60_000)));
    expect(claims.flat().map((lease) => [lease.data_source_id, lease.purpose, lease.attempt])).toEqual([
      [id, 'run', 1],
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
    expect(next?.data_source_id).toBe(small.id);
  });

  it('wait for the back-off of a requeued job', async () => {
    const { leases, queue, run } = await open();
    const { id, job_id } = await queue();
    await run(id, { type: 'claim', worker_id: 'w', at: NOW });
    const error = { title: 'Worker lost', message: '' };
    await run(id, { type: 'retry', reason: 'worker_lost', error, job_id, epoch: 1, at: NOW });
    expect(await leases.claim('a', 1, 60_000)).toEqual([]);
    now = NOW + 10_000;
    expect(await leases.claim('a', 1, 60_000)).toHaveLength(1);
  });

  it('count the tries of a purge before it runs, and forget them when it is done', async () => {
    const { leases, queue, run, expire } = await open();
    const { id } = await queue();
    await run(id, { type: 'delete', at: NOW });
    for (const attempt of [1, 2, 3]) {
      const [lease] = await leases.claim('a', 1, 60_000);
      expect(lease).toMatchObject({ purpose: 'purge', attempt });
      await expire();
    }
    const [last] = await leases.claim('a', 1, 60_000);
    await leases.release('a', last!, 'done');
    const [fresh] = await leases.claim('a', 1, 60_000);
    expect(fresh?.attempt).toBe(1);
    await leases.release('a', fresh!, 'stopped');
    expect((await leases.claim('a', 1, 60_000))[0]?.attempt).toBe(1);
  });

  it('tell which jobs nobody holds, and which outlived a limit', async () => {
    const { leases, queue, run, expire } = await open();
    const { id, job_id } = await queue();
    await leases.claim('a', 1, 60_000);
    await run(id, { type: 'claim', worker_id: 'a', at: NOW });
    expect(await leases.abandoned(10)).toEqual([]);
    now = NOW + 180_000;
    expect(await leases.abandoned(10)).toMatchObject([
      { job_id, epoch: 1, status: 'starting', reason: 'timed_out' },
    ]);
    await expire();
    expect(await leases.abandoned(10)).toMatchObject([{ reason: 'worker_lost' }]);
    await run(id, { type: 'cancel', at: NOW });
    expect(await leases.abandoned(10)).toMatchObject([{ status: 'canceling', reason: 'cancel_timed_out' }]);
  });

  it('leave a job that waits alone, however long it waits behind others', async () => {
    const { leases, queue } = await open();
    await queue();
    const { id } = await queue();
    await leases.claim('a', 1, 60_000);
    now = NOW + 30 * 86_400_000;
    expect(await leases.abandoned(10)).toEqual([]);
    expect(await leases.claim('b', 1, 60_000)).toMatchObject([{ data_source_id: id, attempt: 1 }]);
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
