import { sql } from 'kysely';
import type { LastUses } from '../../../application/ports/last-uses.ts';
import { createMicroBatch } from '../batching.ts';
import { anyOf, type Sql } from '../database-schema.ts';
import { PREPARED, unnested } from '../prepared-statements.ts';

/** Concurrent uses are written by one statement. */
export const createLastUses = (db: Sql): LastUses => {
  const write = createMicroBatch<{ readonly id: string; readonly at: number }, void>({
    send: async (uses) => {
      const columns = unnested([
        ['uuid', uses.map(({ id }) => id)],
        ['bigint', uses.map(({ at }) => at)],
      ]);
      // Each id once, and in one order: statements of other processes wait for these rows, and must not wait in a circle.
      await sql`
        insert into work.last_use (id, used_at)
        select id, max(used_at) from ${columns} use (id, used_at)
        group by id order by id
        on conflict (id) do update set used_at = excluded.used_at
        where last_use.used_at < excluded.used_at ${PREPARED}`.execute(db);
      return uses.map(() => undefined);
    },
  });
  return {
    used: (id, at) => write({ id, at }),
    lastUsed: async (ids) => {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom('work.lastUse')
        .selectAll()
        .where('id', '=', anyOf(ids, 'uuid'))
        .execute();
      return new Map(rows.map(({ id, usedAt }) => [id, usedAt]));
    },
    forget: async (id) => {
      await db.deleteFrom('work.lastUse').where('id', '=', id).execute();
    },
  };
};
