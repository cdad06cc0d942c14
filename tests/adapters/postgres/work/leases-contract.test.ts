import { sql } from 'kysely';
import { projectionMigrations } from '../../../../adapters/postgres/projections/versions.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migrations.ts';
import type { WorkKind } from '../../../../adapters/postgres/work/agent-work.ts';
import { createWorkLeases } from '../../../../adapters/postgres/work/work-leases.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { type OpenWorkLeases, workLeasesContract } from '../../contracts/work-leases.ts';
import { workOfAnyKind } from '../../contracts/work-of-any-kind.ts';

/** A kind of work that a table of the test knows of. */
const kindOf = (kind: string): WorkKind => ({
  kind,
  pending: () => sql`select id, tenant, since from test_owed where kind = ${sql.lit(kind)}`,
  inProgress: () => sql`select id, tenant, overdue, claim from test_under_way where kind = ${sql.lit(kind)}`,
});

/** The same, asked tenant by tenant; it names some of which nothing is pending. */
const byTenant = (kind: string): WorkKind => ({
  ...kindOf(kind),
  tenants: sql`select distinct tenant from test_owed union select 'of nothing'`,
});

const openWith = (kinds: readonly [WorkKind, ...WorkKind[]]) => async (): Promise<OpenWorkLeases> => {
  const { db, close } = await freshDatabase([...projectionMigrations, ...workMigrations]);
  await sql`create table test_owed (kind text, id uuid primary key, tenant text, since bigint)`.execute(db);
  await sql`create table test_under_way (kind text, id uuid primary key, tenant text, overdue boolean, claim jsonb)`.execute(
    db,
  );
  return {
    leases: createWorkLeases(db, { now: Date.now }, kinds),
    owe: async ({ kind, id, tenant, since }) => {
      await sql`insert into test_owed values (${kind}, ${id}, ${tenant}, ${since})`.execute(db);
    },
    begin: async ({ kind, id, tenant, overdue, claim }) => {
      await sql`insert into test_under_way
        values (${kind}, ${id}, ${tenant}, ${overdue}, ${JSON.stringify(claim)})`.execute(db);
    },
    settle: async (id) => {
      await sql`delete from test_owed where id = ${id}`.execute(db);
      await sql`delete from test_under_way where id = ${id}`.execute(db);
    },
    pass: async (ms) => {
      const earlier = sql`${ms} * interval '1 millisecond'`;
      await sql`update work.work_lease set until = until - ${earlier}, not_before = not_before - ${earlier}`.execute(
        db,
      );
    },
    close,
  };
};

const open = openWith([kindOf('errand'), kindOf('parcel')]);
workLeasesContract('Postgres', open);
workOfAnyKind('Postgres', open);
workLeasesContract('Postgres, tenant by tenant', openWith([byTenant('errand'), byTenant('parcel')]));
workLeasesContract(
  'Postgres, one kind of two tenant by tenant',
  openWith([kindOf('errand'), byTenant('parcel')]),
);
