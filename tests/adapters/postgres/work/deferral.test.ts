import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PostgresDatabase } from '../../../../adapters/postgres/connection.ts';
import { createDeferral } from '../../../../adapters/postgres/work/work-leases.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migrations.ts';
import { projectionMigrations } from '../../../../adapters/postgres/projections/versions.ts';
import { freshDatabase } from '../../../support/postgres.ts';

let database: PostgresDatabase;
beforeAll(async () => {
  database = await freshDatabase([...projectionMigrations, ...workMigrations], { poolSize: 1 });
});
afterAll(() => database.close());

const idOf = (nth: number): string => `0199d2a0-0000-7000-8000-${String(nth).padStart(12, '0')}`;

it('a few leases that are given back are planned a few times and then no more', async () => {
  const { db, pool } = database;
  const putOff = createDeferral(db);
  // Others, so that a list of two looks much cheaper than one of any length.
  await sql`insert into work.work_lease (kind, id, tenant, owner, token, attempt, until)
    select 'errand', gen_random_uuid(), 'acme', 'worker-2', 1, 1, now() from generate_series(1, 5000)`.execute(
    db,
  );
  await sql`analyze work.work_lease`.execute(db);
  for (let nth = 1; nth <= 8; nth++) {
    const leases = [nth, nth + 100].map((no) => ({
      kind: 'errand',
      id: idOf(no),
      tenant: 'acme',
      token: 1n,
      attempt: 1,
      lasting: 0,
    }));
    for (const { id } of leases)
      await sql`insert into work.work_lease (kind, id, tenant, owner, token, attempt, until)
        values ('errand', ${id}, 'acme', 'worker-1', 1, 1, now() + interval '1 hour')`.execute(db);
    await Promise.all(leases.map((lease) => putOff('worker-1', lease, { ms: 5_000, transient: true })));
  }
  const held = await pool.query(
    `select from work.work_lease where owner = 'worker-1' and (until > now() or not_before <= now())`,
  );
  expect(held.rowCount).toBe(0);
  const { rows } = await pool.query(
    `select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
     where statement like '%update work.work_lease%'`,
  );
  expect(rows).toEqual([{ generic: 3, custom: 5 }]);
});
