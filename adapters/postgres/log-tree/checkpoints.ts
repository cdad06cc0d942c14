import { sql } from 'kysely';
import type { KeptCheckpoint, KeptCheckpoints } from '../../../application/ports/log-tree.ts';
import type { Sql } from '../database-schema.ts';

/** Needs `proofMigrations`, and a database whose commits are on disk when they are acknowledged. */
export const createKeptCheckpoints = (db: Sql): KeptCheckpoints => {
  const latest = async (tenant: string): Promise<KeptCheckpoint | null> => {
    const { rows } = await sql<KeptCheckpoint>`${CHECKPOINTS}
      where tenant = ${tenant} order by size desc limit 1`.execute(db);
    return rows[0] ?? null;
  };
  return {
    latest,
    list: async (tenant, after, limit, order = 'asc') => {
      const [beyond, by] = order === 'asc' ? [sql`size > `, sql`size`] : [sql`size < `, sql`size desc`];
      const { rows } = await sql<KeptCheckpoint>`${CHECKPOINTS}
        where tenant = ${tenant} and ${after === undefined ? sql`true` : sql`${beyond} ${after}`}
        order by ${by} limit ${limit}`.execute(db);
      return rows;
    },
    tenants: async () => {
      const { rows } = await sql<{ tenant: string }>`select distinct tenant from proof.checkpoint`.execute(
        db,
      );
      return rows.map(({ tenant }) => tenant);
    },
    keep: (tenant, { size, root, note, signedAt }, after) =>
      db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${`checkpoint ${tenant}`}, 0))`.execute(trx);
        const { rows } = await sql`insert into proof.checkpoint (tenant, size, root, note, signed_at)
          select ${tenant}, ${size}, ${root}::bytea, ${note}, ${signedAt}
          where coalesce((select max(size) from proof.checkpoint where tenant = ${tenant}), 0) = ${after}
          returning size`.execute(trx);
        return rows.length === 1;
      }),
    latestWithout: async (witness) => {
      const { rows } = await sql<{ tenant: string }>`select c.tenant
        from (select tenant, max(size) as size from proof.checkpoint group by tenant) c
        where not exists (select from proof.cosignature x
          where x.tenant = c.tenant and x.size = c.size and x.witness = ${witness})`.execute(db);
      return rows.map(({ tenant }) => tenant);
    },
    witnessed: async (tenant, witness) => {
      const { rows } = await sql<{ size: number }>`select coalesce(max(size), 0) as size
        from proof.cosignature where tenant = ${tenant} and witness = ${witness}`.execute(db);
      return rows[0]!.size;
    },
    cosign: async (tenant, size, witness, line) => {
      await sql`insert into proof.cosignature (tenant, size, witness, line)
        values (${tenant}, ${size}, ${witness}, ${line})
        on conflict (tenant, size, witness) do update set line = excluded.line`.execute(db);
    },
    keys: async () => {
      const { rows } = await sql<{ publicKey: Buffer; since: number }>`
        select public_key, since from proof.verifier_key order by since desc`.execute(db);
      return rows;
    },
    addKey: async (publicKey, since) => {
      await sql`insert into proof.verifier_key (public_key, since) values (${publicKey}::bytea, ${since})
        on conflict do nothing`.execute(db);
    },
  };
};

const CHECKPOINTS = sql`select size, root, note, signed_at, array(
    select line from proof.cosignature x where x.tenant = c.tenant and x.size = c.size order by witness) as cosignatures
  from proof.checkpoint c`;
