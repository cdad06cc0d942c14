import type {
  HashedContent,
  HashedVector,
  PendingContent,
  VectorStore,
} from '../../../application/ports/vector-store.ts';
import type { Sql } from '../database-schema.ts';
import {
  everyHiddenDataSource,
  everySourceTombstone,
  hiddenDataSources,
  notAmong,
  sourceTombstones,
} from '../read-your-writes/conditions.ts';
import { quantise } from './vector-cache.ts';
import { type RawBuilder, sql } from 'kysely';

/**
 * Stores vectors in their own tables, for the live version of view `catalog`.
 *
 * @param outside whether another engine searches, and is told of new vectors: see `writeNewVectors`
 */
export const createVectorStore = (db: Sql, outside = false): VectorStore => ({
  want: async (model) => {
    await db
      .insertInto('vectors.model')
      .values({ name: model, wantedAt: sql<Date>`clock_timestamp()` })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((eb) => ({ wantedAt: eb.ref('excluded.wantedAt') })),
      )
      .execute();
  },
  pending: (model, after, limit) => pending(db, model, after, limit),
  link: (model, tenant, contents) => link(db, model, tenant, contents, outside),
  keep: (model, tenant, vectors, contents) => keep(db, model, tenant, vectors, contents, outside),
  sweep: () => sweep(db),
  retire: (model) => retire(db, model),
  forget: (tenant, dataSourceId) => forget(db, tenant, dataSourceId),
});

/**
 * The page is cut before texts are joined to it: contents are scanned in order until it is full.
 * `read-your-writes/conditions.ts` explains why the hidden ids are arrays.
 */
const pending = async (
  db: Sql,
  model: string,
  after: number,
  limit: number,
): Promise<readonly PendingContent[]> => {
  const { rows } = await sql<PendingContent>`
    with page as materialized (
      select c.no, c.tenant, c.id, c.label, c.source_no from read.content c
      where c.no > ${after} and ${notAmong(everyHiddenDataSource, sql`c.data_source_id`)}
        and ${notAmong(everySourceTombstone, sql`c.source_no`)}
        and not exists (
          select from vectors.content v
          where v.tenant = c.tenant and v.model_no = (select no from vectors.model where name = ${model})
            and v.content_id = c.id and v.label = c.label)
      order by c.no limit ${limit})
    select p.no as place, p.tenant, p.id as content_id, p.label, s.title, x.heading_path as headings, x.text
    from page p join read.source s on s.no = p.source_no join read.content_text x on x.content_no = p.no
    order by p.no`.execute(db);
  return rows;
};

const link = (
  db: Sql,
  model: string,
  tenant: string,
  contents: readonly HashedContent[],
  outside: boolean,
): Promise<readonly HashedContent[]> =>
  withVectorWriteLock(db, async (trx) => {
    const no = await numberOf(trx, model);
    await linkExisting(trx, no, tenant, contents);
    if (outside) await markOutside(trx, tenant, contents);
    const { rows } = await sql<{ sha256: string }>`
      select encode(e.sha256, 'hex') as sha256 from vectors.embedding e
      where e.model_no = ${no} and e.tenant = ${tenant} and e.sha256 = any(${hashes(contents)}::bytea[])`.execute(
      trx,
    );
    const known = new Set(rows.map(({ sha256 }) => sha256));
    return contents.filter(({ sha256 }) => !known.has(sha256));
  });

const keep = (
  db: Sql,
  model: string,
  tenant: string,
  vectors: readonly HashedVector[],
  contents: readonly HashedContent[],
  outside: boolean,
): Promise<void> =>
  withVectorWriteLock(db, async (trx) => {
    const no = await numberOf(trx, model);
    const length = vectors.find(({ vector }) => vector !== null)?.vector?.length;
    if (length !== undefined) await ensureDimensions(trx, no, length);
    const quantised = vectors.map(({ vector }) => (vector === null ? null : quantise(vector)));
    await sql`
      insert into vectors.embedding (tenant, model_no, sha256, code, scale)
      select ${tenant}, ${no}, sha256, code, scale
      from unnest(${hashes(vectors)}::bytea[], ${quantised.map((of) => of && Buffer.from(of.code.buffer))}::bytea[],
        ${quantised.map((of) => of && of.scale)}::real[]) as r(sha256, code, scale)
      on conflict (tenant, model_no, sha256) do nothing`.execute(trx);
    await linkExisting(trx, no, tenant, contents);
    if (outside) await markOutside(trx, tenant, contents);
    await sql`
      delete from vectors.embedding e
      where e.tenant = ${tenant} and e.model_no = ${no} and e.sha256 = any(${hashes(vectors)}::bytea[])
        and not exists (select from vectors.content v where v.embedding_no = e.no)`.execute(trx);
  });

/**
 * Serializes the writers of vectors: a writer that links a content to a vector sees whether the content still
 * exists, and one that deletes vectors sees which contents use them.
 */
const withVectorWriteLock = <T>(db: Sql, write: (trx: Sql) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(7702, 1)`.execute(trx);
    return write(trx);
  });

const hashes = (of: readonly { readonly sha256: string }[]): readonly Buffer[] =>
  of.map(({ sha256 }) => Buffer.from(sha256, 'hex'));

const numberOf = async (trx: Sql, model: string): Promise<number> => {
  const found = await trx
    .selectFrom('vectors.model')
    .select('no')
    .where('name', '=', model)
    .executeTakeFirst();
  if (found === undefined) throw new Error(`the model ${model} is not registered`);
  return found.no;
};

/**
 * Links only existing contents. Each is looked up separately because of the `offset 0`: without statistics of
 * these tables, the planner would rather read everything of the tenant.
 */
const linkExisting = async (
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
    where c.label = r.label and ${notAmong(hiddenDataSources(tenant), sql`c.data_source_id`)}
      and ${notAmong(sourceTombstones(tenant), sql`c.source_no`)}
    on conflict (tenant, model_no, content_id, label) do nothing`.execute(trx);
};

const markOutside = async (trx: Sql, tenant: string, contents: readonly HashedContent[]): Promise<void> => {
  await sql`
    insert into vectors.outside (source_id)
    select distinct s.id from read.content c join read.source s on s.no = c.source_no
    where c.tenant = ${tenant} and c.id = any(${contents.map(({ contentId }) => contentId)}::uuid[])
    on conflict (source_id) do update set mark = default`.execute(trx);
};

const ensureDimensions = async (trx: Sql, modelNo: number, length: number): Promise<void> => {
  const before = await trx
    .selectFrom('vectors.model')
    .select('dimensions')
    .where('no', '=', modelNo)
    .forUpdate()
    .executeTakeFirst();
  if (before?.dimensions === length) return;
  await trx.deleteFrom('vectors.content').where('modelNo', '=', modelNo).execute();
  await trx.deleteFrom('vectors.embedding').where('modelNo', '=', modelNo).execute();
  await trx.updateTable('vectors.model').set({ dimensions: length }).where('no', '=', modelNo).execute();
};

/** How long a vector without a content is kept: a rebuilt catalog links it again within that time. */
const GRACE = sql.lit('1 hour');

const sweep = (db: Sql): Promise<number> =>
  withVectorWriteLock(db, async (trx) => {
    const contentExists = sql`exists (
      select from read.content c where c.tenant = v.tenant and c.id = v.content_id and c.label = v.label)`;
    await sql`update vectors.content v set missed_since = null where missed_since is not null and ${contentExists}`.execute(
      trx,
    );
    await sql`update vectors.content v set missed_since = now() where missed_since is null and not ${contentExists}`.execute(
      trx,
    );
    return unlink(
      trx,
      sql`v.missed_since < now() - ${GRACE}::interval or (v.missed_since is not null and exists (
        select from read.hidden_data_source h where h.data_source_id = v.data_source_id and h.deleted))`,
    );
  });

const retire = (db: Sql, model: string): Promise<number> =>
  withVectorWriteLock(db, async (trx) => {
    const { rows: before } = await sql<{ no: number }>`
      select m.no from vectors.model m join vectors.model wanted on wanted.name = ${model}
      where m.no <> wanted.no and m.wanted_at < wanted.wanted_at`.execute(trx);
    if (before.length === 0) return 0;
    const these = before.map(({ no }) => no);
    await trx.deleteFrom('vectors.content').where('modelNo', 'in', these).execute();
    const { numDeletedRows } = await trx
      .deleteFrom('vectors.embedding')
      .where('modelNo', 'in', these)
      .executeTakeFirst();
    await trx.deleteFrom('vectors.model').where('no', 'in', these).execute();
    return Number(numDeletedRows);
  });

const forget = async (db: Sql, tenant: string, dataSourceId: string): Promise<void> => {
  await withVectorWriteLock(db, (trx) =>
    unlink(trx, sql`v.tenant = ${tenant} and v.data_source_id = ${dataSourceId}::uuid`),
  );
};

/**
 * Unlinks vectors from contents, and deletes those that no content uses any longer. Returns the number of
 * deleted vectors.
 */
const unlink = async (trx: Sql, which: RawBuilder<unknown>): Promise<number> => {
  const { rows: taken } = await sql<{ embeddingNo: number }>`
    delete from vectors.content v where ${which} returning v.embedding_no`.execute(trx);
  const numbers = [...new Set(taken.map(({ embeddingNo }) => embeddingNo))];
  const { numAffectedRows } = await sql`
    delete from vectors.embedding e where e.no = any(${numbers}::bigint[])
      and not exists (select from vectors.content v where v.embedding_no = e.no)`.execute(trx);
  return Number(numAffectedRows ?? 0);
};

/** The number of contents, of all tenants, that the current model has not embedded; null before the first model. */
export const contentsWithoutVector = async (db: Sql): Promise<number | null> => {
  const { rows } = await sql<{ missing: number }>`
    select (select coalesce(sum(contents), 0) from read.source_count)::float8 - count(v.content_id) as missing
    from (select no from vectors.model order by wanted_at desc limit 1) m
      left join vectors.content v on v.model_no = m.no and v.missed_since is null
    group by m.no`.execute(db);
  const [found] = rows;
  return found === undefined ? null : Math.max(0, found.missing);
};
