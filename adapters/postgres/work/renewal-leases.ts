import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { RenewalLeases } from '../../../application/ports/leases.ts';
import type { Sql } from '../database-schema.ts';

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
