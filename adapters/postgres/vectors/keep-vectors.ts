import { sql } from 'kysely';
import type { HashedContent, HashedVector } from '../../../application/ports/vector-index.ts';
import type { Sql } from '../database-schema.ts';
import { hiddenDataSources, withheldSources } from '../read-your-writes/conditions.ts';
import { quantise } from './quantise.ts';

/**
 * One writer of vectors at a time: who gives a content its vector sees whether the content is still there, and who
 * takes vectors away sees who has them.
 */
export const writing = <T>(db: Sql, write: (trx: Sql) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(7702, 1)`.execute(trx);
    return write(trx);
  });

export const link = (
  db: Sql,
  model: string,
  tenant: string,
  contents: readonly HashedContent[],
): Promise<readonly HashedContent[]> =>
  writing(db, async (trx) => {
    const no = await numberOf(trx, model);
    await linkThose(trx, no, tenant, contents);
    const { rows } = await sql<{ sha256: string }>`
      select encode(e.sha256, 'hex') as sha256 from vectors.embedding e
      where e.model_no = ${no} and e.tenant = ${tenant} and e.sha256 = any(${hashes(contents)}::bytea[])`.execute(
      trx,
    );
    const known = new Set(rows.map(({ sha256 }) => sha256));
    return contents.filter(({ sha256 }) => !known.has(sha256));
  });

export const keep = (
  db: Sql,
  model: string,
  tenant: string,
  vectors: readonly HashedVector[],
  contents: readonly HashedContent[],
): Promise<void> =>
  writing(db, async (trx) => {
    const no = await numberOf(trx, model);
    const length = vectors.find(({ vector }) => vector !== null)?.vector?.length;
    if (length !== undefined) await settleDimensions(trx, no, length);
    const quantised = vectors.map(({ vector }) => (vector === null ? null : quantise(vector)));
    await sql`
      insert into vectors.embedding (tenant, model_no, sha256, code, scale)
      select ${tenant}, ${no}, sha256, code, scale
      from unnest(${hashes(vectors)}::bytea[], ${quantised.map((of) => of && Buffer.from(of.code.buffer))}::bytea[],
        ${quantised.map((of) => of && of.scale)}::real[]) as r(sha256, code, scale)
      on conflict (tenant, model_no, sha256) do nothing`.execute(trx);
    await linkThose(trx, no, tenant, contents);
    await sql`
      delete from vectors.embedding e
      where e.tenant = ${tenant} and e.model_no = ${no} and e.sha256 = any(${hashes(vectors)}::bytea[])
        and not exists (select from vectors.content v where v.embedding_no = e.no)`.execute(trx);
  });

const hashes = (of: readonly { readonly sha256: string }[]): readonly Buffer[] =>
  of.map(({ sha256 }) => Buffer.from(sha256, 'hex'));

const numberOf = async (trx: Sql, model: string): Promise<number> => {
  const { rows } = await sql<{ no: number }>`select no from vectors.model where name = ${model}`.execute(trx);
  if (rows[0] === undefined) throw new Error(`the model ${model} is not wanted`);
  return rows[0].no;
};

/**
 * Only contents that are there: what is gone must not be given anything. Each is looked up by itself, behind an
 * `offset 0`: a planner that has no statistics of these tables yet would rather read all that the tenant has.
 */
const linkThose = async (
  trx: Sql,
  modelNo: number,
  tenant: string,
  contents: readonly HashedContent[],
): Promise<void> => {
  await sql`
    insert into vectors.content (tenant, model_no, content_id, label, data_source_id, embedding_no)
    select ${tenant}, ${modelNo}, c.id, c.label, c.data_source_id, e.no
    from unnest(${contents.map(({ contentId }) => contentId)}::uuid[],
        ${contents.map(({ label }) => label)}::text[], ${hashes(contents)}::bytea[]) as r(id, label, sha256)
      cross join lateral (select * from read.content c where c.tenant = ${tenant} and c.id = r.id offset 0) c
      cross join lateral (select e.no from vectors.embedding e
        where e.tenant = ${tenant} and e.model_no = ${modelNo} and e.sha256 = r.sha256 offset 0) e
    where c.label = r.label and c.data_source_id <> all(${hiddenDataSources(tenant)}) and c.source_no <> all(${withheldSources(tenant)})
    on conflict (tenant, model_no, content_id, label) do nothing`.execute(trx);
};

const settleDimensions = async (trx: Sql, modelNo: number, length: number): Promise<void> => {
  const { rows } = await sql<{ before: number | null }>`
    select dimensions as before from vectors.model where no = ${modelNo} for update`.execute(trx);
  if (rows[0]?.before === length) return;
  await sql`delete from vectors.content where model_no = ${modelNo}`.execute(trx);
  await sql`delete from vectors.embedding where model_no = ${modelNo}`.execute(trx);
  await sql`update vectors.model set dimensions = ${length} where no = ${modelNo}`.execute(trx);
};
