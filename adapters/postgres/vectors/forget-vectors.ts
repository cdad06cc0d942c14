import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../database-schema.ts';
import { writing } from './keep-vectors.ts';

/** How long a vector waits for a text that is not there: a catalog that is filled again comes by it within that. */
const GRACE = sql.lit('1 hour');

export const sweep = (db: Sql): Promise<number> =>
  writing(db, async (trx) => {
    const there = sql`exists (
      select from read.content c where c.tenant = v.tenant and c.id = v.content_id and c.label = v.label)`;
    await sql`update vectors.content v set missed_since = null where missed_since is not null and ${there}`.execute(
      trx,
    );
    await sql`update vectors.content v set missed_since = now() where missed_since is null and not ${there}`.execute(
      trx,
    );
    return unlink(
      trx,
      sql`v.missed_since < now() - ${GRACE}::interval or (v.missed_since is not null and exists (
        select from read.hidden_data_source h where h.data_source_id = v.data_source_id and h.deleted))`,
    );
  });

export const retire = (db: Sql, model: string): Promise<number> =>
  writing(db, async (trx) => {
    const { rows: before } = await sql<{ no: number }>`
      select m.no from vectors.model m join vectors.model wanted on wanted.name = ${model}
      where m.no <> wanted.no and m.wanted_at < wanted.wanted_at`.execute(trx);
    if (before.length === 0) return 0;
    const these = before.map(({ no }) => no);
    await sql`delete from vectors.content where model_no = any(${these}::int[])`.execute(trx);
    const { numAffectedRows } = await sql`
      delete from vectors.embedding where model_no = any(${these}::int[])`.execute(trx);
    await sql`delete from vectors.model where no = any(${these}::int[])`.execute(trx);
    return Number(numAffectedRows ?? 0);
  });

export const forget = async (db: Sql, tenant: string, dataSourceId: string): Promise<void> => {
  await writing(db, (trx) =>
    unlink(trx, sql`v.tenant = ${tenant} and v.data_source_id = ${dataSourceId}::uuid`),
  );
};

/** Takes vectors from contents, and deletes those that no content has then. Answers how many these were. */
const unlink = async (trx: Sql, which: RawBuilder<unknown>): Promise<number> => {
  const { rows: taken } = await sql<{ embeddingNo: number }>`
    delete from vectors.content v where ${which} returning v.embedding_no`.execute(trx);
  const numbers = [...new Set(taken.map(({ embeddingNo }) => embeddingNo))];
  const { numAffectedRows } = await sql`
    delete from vectors.embedding e where e.no = any(${numbers}::bigint[])
      and not exists (select from vectors.content v where v.embedding_no = e.no)`.execute(trx);
  return Number(numAffectedRows ?? 0);
};
