import { sql } from 'kysely';
import type { UploadLeases, UploadLease } from '../../../application/ports/leases.ts';
import type { Migration } from '../migrations/runner.ts';
import type { Sql } from '../database-schema.ts';

export const uploadsMigration: Migration = {
  id: 'work-upload-under-way',
  up: async (execute) => {
    await execute(`
      CREATE TABLE work.upload_under_way (
        id uuid PRIMARY KEY,
        tenant text NOT NULL,
        created_id uuid,
        until timestamptz NOT NULL
      )`);
  },
};

/** By the database's clock. */
export const createUploadLeases = (db: Sql): UploadLeases => ({
  hold: async ({ id, tenant, createdId }, ms) => {
    await sql`
      insert into work.upload_under_way (id, tenant, created_id, until)
      values (${id}, ${tenant}, ${createdId}, now() + ${ms} * interval '1 millisecond')
      on conflict (id) do update set created_id = excluded.created_id, until = excluded.until`.execute(db);
  },
  renew: async (id, ms) => {
    const { rows } = await sql`
      update work.upload_under_way set until = now() + ${ms} * interval '1 millisecond'
      where id = ${id} and until > now() returning id`.execute(db);
    return rows.length > 0;
  },
  release: async (id) => {
    await sql`delete from work.upload_under_way where id = ${id}`.execute(db);
  },
  abandoned: async (limit) => {
    const { rows } = await sql<UploadLease>`
      select id, tenant, created_id as "createdId" from work.upload_under_way where until <= now()
      limit ${limit}`.execute(db);
    return rows;
  },
});
