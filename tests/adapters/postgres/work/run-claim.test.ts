import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { agentRunProjection } from '../../../../adapters/postgres/projections/agent-views.ts';
import { agentRunWork } from '../../../../adapters/postgres/work/agent-work.ts';
import { createWorkLeases } from '../../../../adapters/postgres/work/work-leases.ts';
import { openWorld, type World } from '../../../support/world.ts';
import { pagesOf, recording } from '../explained.ts';

const NOW = 1_000_000;
let world: World;
beforeAll(async () => {
  world = await openWorld([agentRunProjection]);
});
afterAll(() => world.close());

/** Runs of these tenants in turn, each a millisecond younger than the one before. */
const queue = async (tenants: readonly string[], many: number): Promise<void> => {
  await sql`
    insert into read.agent_run (id, tenant, principal, thread_id, status, status_since, created_at, doc, revision)
    select gen_random_uuid(), (${tenants}::text[])[1 + n % ${tenants.length}::int], '', gen_random_uuid(), 'QUEUED',
      ${NOW}, ${NOW} + n, '{}', 0
    from generate_series(1, ${many}::int) n`.execute(world.db);
  await sql`analyze`.execute(world.db);
};

const claimed = async (limit: number) => {
  const { db, sent } = recording(world.db);
  const leases = await createWorkLeases(db, { now: () => NOW }, [agentRunWork]).claim('a', limit, 60_000);
  const tenants = leases.map(({ tenant }) => tenant).toSorted();
  await sql`delete from work.work_lease`.execute(world.db);
  return { tenants, pages: await pagesOf(world.db, sent[0]!) };
};

it('a claim takes of each tenant alike, and finds runs among many that wait as among few', async () => {
  await queue(['acme'], 40);
  await queue(['beta', 'core'], 60);
  const few = await claimed(6);
  expect(few.tenants).toEqual(['acme', 'acme', 'beta', 'beta', 'core', 'core']);
  await queue(['acme'], 20_000);
  const many = await claimed(6);
  expect(many.tenants).toEqual(few.tenants);
  expect(few.pages).toBeGreaterThan(0);
  expect(many.pages).toBeLessThanOrEqual(few.pages + 30);
});
