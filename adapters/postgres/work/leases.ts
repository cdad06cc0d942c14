import type {
  AnswerLeases,
  RenewalLeases,
  UploadLease,
  UploadLeases,
} from '../../../application/ports/leases.ts';
import type { SecretUsage } from '../../../application/ports/secrets.ts';
import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';

/** Holds by the database's clock. Those that dead processes left go with the next hold, an hour later. */
export const createAnswerLeases = (db: Sql): AnswerLeases => ({
  hold: async (id, ms) => {
    await sql`
      with left_over as (delete from work.answer_hold where until < now() - interval '1 hour' and answer_id <> ${id})
      insert into work.answer_hold (answer_id, until)
      values (${id}, now() + ${ms} * interval '1 millisecond')
      on conflict (answer_id) do update set until = excluded.until`.execute(db);
  },
  isHeld: async (id) => {
    const { rows } = await sql<{ held: boolean }>`
      select exists (select from work.answer_hold where answer_id = ${id} and until > now()) as held`.execute(
      db,
    );
    return rows[0]?.held === true;
  },
  release: async (id) => {
    await sql`delete from work.answer_hold where answer_id = ${id}`.execute(db);
  },
});

/** Turns by the database's clock. One whose holder died is taken by whoever comes after it has run out. */
export const createRenewalLeases = (db: Sql): RenewalLeases => ({
  take: async (secretId, ms) => {
    const holder = randomUUID();
    const { rows } = await sql`
      insert into work.secret_renewal as r (secret_id, holder, until)
      values (${secretId}, ${holder}, now() + ${ms} * interval '1 millisecond')
      on conflict (secret_id) do update set holder = excluded.holder, until = excluded.until
        where r.until < now()
      returning holder`.execute(db);
    if (rows.length === 0) return null;
    return async () => {
      await sql`delete from work.secret_renewal where secret_id = ${secretId} and holder = ${holder}`.execute(
        db,
      );
    };
  },
});

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

export const createSecretUsage = (db: Sql): SecretUsage => ({
  used: async (secretId, at) => {
    await sql`
      insert into work.secret_use as u (secret_id, used_at) values (${secretId}, ${at}::bigint)
      on conflict (secret_id) do update set used_at = excluded.used_at
        where u.used_at < excluded.used_at`.execute(db);
  },
  lastUsed: async (secretIds) => {
    if (secretIds.length === 0) return new Map();
    const { rows } = await sql<{ secretId: string; usedAt: number }>`
      select secret_id, used_at from work.secret_use where secret_id = any(${secretIds}::uuid[])`.execute(db);
    return new Map(rows.map(({ secretId, usedAt }) => [secretId, usedAt]));
  },
  forget: async (secretId) => {
    await sql`delete from work.secret_use where secret_id = ${secretId}`.execute(db);
  },
});
