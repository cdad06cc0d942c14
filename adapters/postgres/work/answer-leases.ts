import { sql } from 'kysely';
import type { AnswerLeases } from '../../../application/ports/leases.ts';
import type { Sql } from '../database-schema.ts';

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
