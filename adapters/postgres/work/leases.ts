import type { AnswerLeases, RenewalLeases, UploadLeases } from '../../../application/ports/leases.ts';
import { NOW, fromNow, type Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';

/**
 * Leases by the database clock. The next hold deletes leases of dead processes, an hour after they expired.
 */
export const createAnswerLeases = (db: Sql): AnswerLeases => ({
  hold: async (id, ms) => {
    await sql`
      with left_over as (delete from work.answer_hold where until < now() - interval '1 hour' and answer_id <> ${id})
      insert into work.answer_hold (answer_id, until)
      values (${id}, now() + ${ms} * interval '1 millisecond')
      on conflict (answer_id) do update set until = excluded.until`.execute(db);
  },
  isHeld: async (id) => {
    const held = await db
      .selectFrom('work.answerHold')
      .select('answerId')
      .where('answerId', '=', id)
      .where('until', '>', NOW)
      .executeTakeFirst();
    return held !== undefined;
  },
  release: async (id) => {
    await db.deleteFrom('work.answerHold').where('answerId', '=', id).execute();
  },
  takeOver: async () => {
    await db.deleteFrom('work.answerHold').execute();
  },
});

/** Leases by the database clock. If the holder died, another process takes the lease after it has expired. */
export const createRenewalLeases = (db: Sql): RenewalLeases => ({
  take: async (secretId, ms) => {
    const holder = randomUUID();
    const taken = await db
      .insertInto('work.secretRenewal')
      .values({ secretId, holder, until: fromNow(ms) })
      .onConflict((conflict) =>
        conflict
          .column('secretId')
          .doUpdateSet((eb) => ({ holder: eb.ref('excluded.holder'), until: eb.ref('excluded.until') }))
          .where('work.secretRenewal.until', '<', NOW),
      )
      .returning('holder')
      .executeTakeFirst();
    if (taken === undefined) return null;
    return async () => {
      await db
        .deleteFrom('work.secretRenewal')
        .where('secretId', '=', secretId)
        .where('holder', '=', holder)
        .execute();
    };
  },
});

/** By the database clock. */
export const createUploadLeases = (db: Sql): UploadLeases => ({
  hold: async ({ id, tenant, createdId }, ms) => {
    await db
      .insertInto('work.uploadUnderWay')
      .values({ id, tenant, createdId, until: fromNow(ms) })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          createdId: eb.ref('excluded.createdId'),
          until: eb.ref('excluded.until'),
        })),
      )
      .execute();
  },
  renew: async (id, ms) => {
    const { numUpdatedRows } = await db
      .updateTable('work.uploadUnderWay')
      .set({ until: fromNow(ms) })
      .where('id', '=', id)
      .where('until', '>', NOW)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },
  release: async (id) => {
    await db.deleteFrom('work.uploadUnderWay').where('id', '=', id).execute();
  },
  abandoned: async (limit) => {
    return db
      .selectFrom('work.uploadUnderWay')
      .select(['id', 'tenant', 'createdId'])
      .where('until', '<=', NOW)
      .limit(limit)
      .execute();
  },
});
