import { sql } from 'kysely';
import type { SecretUsage } from '../../../application/ports/secrets.ts';
import type { Sql } from '../database-schema.ts';

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
