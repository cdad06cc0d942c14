import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jobWork, purgeWork } from '../../../../adapters/postgres/work/data-source-work.ts';
import { createWorkLeases } from '../../../../adapters/postgres/work/work-leases.ts';
import { eventually } from '../../../support/eventually.ts';
import { type LeasesWorld, openLeases } from './leases-world.ts';

let opened: LeasesWorld;
beforeAll(async () => {
  opened = await openLeases();
});
afterAll(() => opened.world.close());

/** Whether a statement of another session waits for a transaction of a third. */
const somebodyWaits = async (): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ilike '%work.work_lease%'
      and pid <> pg_backend_pid()`.execute(opened.world.db);
  return rows.length > 0;
};

it.each(['never leased before', 'leased before'])(
  'a job %s goes to one of two owners that chose it at the same moment',
  async (before) => {
    const { world, leases, queue } = opened;
    const { id } = await queue();
    if (before === 'leased before') {
      const [lease] = await leases.claim('earlier', 1, 60_000);
      await leases.release('earlier', lease!, 'done');
    }
    // The first has its lease, and has not committed it: the second finds the job pending, and waits for the row.
    let second: ReturnType<typeof leases.claim> = Promise.resolve([]);
    const first = await world.db.transaction().execute(async (trx) => {
      const claimed = await createWorkLeases(trx, { now: Date.now }, [jobWork, purgeWork]).claim(
        'first',
        1,
        60_000,
      );
      second = leases.claim('second', 1, 60_000);
      await eventually(somebodyWaits, (waits) => waits);
      return claimed;
    });
    expect(first.map(({ id: claimed }) => claimed)).toEqual([id]);
    expect(await second).toEqual([]);
    expect(await leases.renew('first', first[0]!, 60_000)).toBe(true);
  },
);
