import { afterAll, beforeAll, expect, it } from 'vitest';
import { agentRunWork } from '../../../../adapters/postgres/work/agent-work.ts';
import { jobWork, purgeWork } from '../../../../adapters/postgres/work/data-source-work.ts';
import { queueAges } from '../../../../adapters/postgres/work/work-leases.ts';
import { type LeasesWorld, NOW, openLeases } from './leases-world.ts';

let world: LeasesWorld;
beforeAll(async () => {
  world = await openLeases();
});
afterAll(() => world.world.close());

it('the age of a queue is that of the oldest work that nobody has taken or put off', async () => {
  const { leases, queue, run, time } = world;
  const ages = async (now: number, tenant?: string) => {
    const told = await queueAges(world.world.db, [jobWork, purgeWork, agentRunWork], now, tenant);
    return Object.fromEntries(told.map(({ kind, seconds }) => [kind, seconds]));
  };
  const none = { ingestion_job: 0, ingestion_purge: 0, agent_run: 0 };
  expect(await ages(NOW)).toEqual(none);

  const { id } = await queue();
  await queue('other');
  expect(await ages(NOW + 4_990)).toEqual({ ...none, ingestion_job: 5 });
  await run(id, { type: 'delete', at: NOW + 1_000 });
  expect(await ages(NOW + 4_990)).toEqual({ ...none, ingestion_job: 5, ingestion_purge: 3.99 });
  expect(await ages(NOW + 4_990, 'other')).toEqual({ ...none, ingestion_job: 5 });
  expect(await ages(NOW + 4_990, 'nobody')).toEqual(none);

  time.now = NOW + 4_990;
  await leases.claim('a', 5, 60_000);
  expect(await ages(NOW + 4_990)).toEqual(none);
});
