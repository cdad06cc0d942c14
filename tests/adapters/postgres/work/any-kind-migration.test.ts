import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../../adapters/postgres/migrate.ts';
import { projectionMigrations } from '../../../../adapters/postgres/projections/versions.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migrations.ts';
import { dataSourceWork } from '../../../../adapters/postgres/work/data-source-work.ts';
import { createWorkLeases } from '../../../../adapters/postgres/work/work-leases.ts';
import type { Lease, WorkLeases } from '../../../../application/ports/leases.ts';
import { type FreshDatabase, freshDatabase } from '../../../support/postgres.ts';

const idOf = (n: number): string => `01a1fb75-64cc-71f4-80d9-00000000000${n}`;
const [RUN, PUT_OFF, ERASE, OLD] = [1, 2, 3, 4].map(idOf) as [string, string, string, string];
const leaseOn = (id: string, kind: string, token: bigint): Lease => ({
  kind,
  id,
  tenant: 'acme',
  token,
  attempt: 1,
  lasting: 0,
});

/** What the last version that leased data sources alone asked of its leases, in its words. */
const ofBefore = (pool: pg.Pool) => ({
  claim: (id: string, owner: string, purpose: string) =>
    pool.query<{ dataSourceId: string; token: string; purpose: string; attempt: number }>(
      `with live as (select tenant, count(*) as n from work.lease where until > now() group by tenant),
      owed as (
        select d.id, d.tenant, $3::text as purpose from (select $1::uuid as id, 'acme' as tenant) d
        left join work.lease l on l.data_source_id = d.id
        left join live on live.tenant = d.tenant
        where (l.until is null or l.until <= now()) and (l.not_before is null or l.not_before <= now()))
      insert into work.lease as l (data_source_id, tenant, owner, token, purpose, attempt, until)
      select id, tenant, $2, 1, purpose, 1, now() + interval '60 s' from owed
      on conflict (data_source_id) do update set
        owner = excluded.owner, token = l.token + 1, purpose = excluded.purpose, until = excluded.until,
        leaving = false,
        attempt = case when l.purpose = excluded.purpose then l.attempt + 1 else 1 end,
        lasting = case when l.purpose = excluded.purpose then l.lasting else 0 end, not_before = null
      where l.until <= now() and (l.not_before is null or l.not_before <= now())
      returning data_source_id, tenant, token, purpose, attempt, lasting`,
      [id, owner, purpose],
    ),
  renew: (id: string, owner: string, token: number) =>
    pool.query(
      `update work.lease set until = now() + interval '60 s'
      where data_source_id = $1 and owner = $2 and token = $3 and until > now()`,
      [id, owner, token],
    ),
  putOff: (id: string, owner: string, token: number) =>
    pool.query(
      `update work.lease set until = now(), not_before = now() + interval '1 s', lasting = lasting + 1
      where data_source_id = $1 and owner = $2 and token = $3`,
      [id, owner, token],
    ),
  forget: (id: string) => pool.query('delete from work.lease where data_source_id = $1', [id]),
  takeOver: (owner: string) =>
    pool.query('update work.lease set until = now() where owner <> $1 and until > now()', [owner]),
});

describe('a database of leases on data sources', () => {
  let database: FreshDatabase;
  let leases: WorkLeases;
  beforeAll(async () => {
    const before = workMigrations.slice(
      0,
      workMigrations.findIndex(({ id }) => id === 'work-any-kind'),
    );
    database = await freshDatabase([...projectionMigrations, ...before]);
    await database.pool.query(
      `insert into work.lease (data_source_id, tenant, owner, token, purpose, attempt, until, not_before, lasting)
      values ($1, 'acme', 'a', 3, 'run', 1, now() + interval '60 s', null, 0),
        ($2, 'acme', 'a', 5, 'purge', 4, now(), now() + interval '60 s', 2),
        ($3, 'acme', 'a', 1, 'erase', 1, now() + interval '60 s', null, 0)`,
      [RUN, PUT_OFF, ERASE],
    );
    await migrate(database.pool, workMigrations);
    leases = createWorkLeases(database.db, { now: () => 0 }, dataSourceWork);
  });
  afterAll(() => database?.close());

  it('keeps them: who holds one goes on, tries and pauses are known', async () => {
    expect(await leases.renew('a', leaseOn(RUN, 'ingestion_job', 3n), 60_000)).toBe(true);
    expect(await leases.claimOne('b', leaseOn(RUN, 'ingestion_purge', 0n), 60_000)).toBeNull();
    expect(await leases.claimOne('b', leaseOn(PUT_OFF, 'ingestion_purge', 0n), 60_000)).toBeNull();
    const { rows } = await database.pool.query(
      'select id, kind, token::int, attempt, lasting from work.work_lease order by id',
    );
    expect(rows).toEqual([
      { id: RUN, kind: 'ingestion_job', token: 3, attempt: 1, lasting: 0 },
      { id: PUT_OFF, kind: 'ingestion_purge', token: 5, attempt: 4, lasting: 2 },
      { id: ERASE, kind: 'ingestion_erasure', token: 1, attempt: 1, lasting: 0 },
    ]);
  });

  it('goes on serving programs of before, which exclude newer ones and are excluded by them', async () => {
    const old = ofBefore(database.pool);
    expect((await old.claim(RUN, 'old', 'run')).rows).toEqual([]);
    expect((await old.claim(OLD, 'old', 'run')).rows).toMatchObject([{ data_source_id: OLD, attempt: 1 }]);
    expect(await leases.claimOne('b', leaseOn(OLD, 'ingestion_job', 0n), 60_000)).toBeNull();
    expect((await old.renew(OLD, 'old', 1)).rowCount).toBe(1);
    expect((await old.takeOver('newer')).rowCount).toBe(3);
    const taken = await leases.claimOne('newer', leaseOn(OLD, 'ingestion_job', 0n), 60_000);
    expect(taken?.token).toBe(2n);
    expect((await old.renew(OLD, 'old', 1)).rowCount).toBe(0);
    await leases.release('newer', taken!, 'done');
    expect((await old.claim(OLD, 'old', 'purge')).rows).toMatchObject([{ token: 3, attempt: 1 }]);
    await old.putOff(OLD, 'old', 3);
    expect(await leases.claimOne('newer', leaseOn(OLD, 'ingestion_purge', 0n), 60_000)).toBeNull();
    expect((await old.forget(OLD)).rowCount).toBe(1);
    expect(await leases.claimOne('newer', leaseOn(OLD, 'ingestion_job', 0n), 60_000)).toMatchObject({
      token: 1n,
    });
  });
});
