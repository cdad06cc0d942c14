import { sql } from 'kysely';
import { CATALOG_TABLES } from '../../../../adapters/postgres/projections/catalog/catalog-projection.ts';
import type { Sql } from '../../../../adapters/postgres/database-schema.ts';
import { storedPostings } from './stored-postings.ts';

/**
 * Everything that a catalog holds, without the numbers and segments that depend on how it was batched and merged, and
 * without lengths, which a content that was never visible has not.
 */
export const dumpCatalog = (db: Sql, schema: string) => inSnapshot(db, (trx) => dump(trx, schema));

const dump = async (db: Sql, schema: string) => {
  const table = (name: string) => sql.id(schema, name);
  const rows = async (query: ReturnType<typeof sql>): Promise<readonly unknown[]> =>
    (await query.execute(db)).rows;
  return {
    sources: await rows(sql`
      select to_jsonb(s) - 'no' as row,
        (select jsonb_agg(to_jsonb(m) - 'source_no' order by m.ord) from ${table('source_metadata')} m
          where m.source_no = s.no) as metadata
      from ${table('source')} s order by s.id`),
    contents: await rows(sql`
      select to_jsonb(c) - array['no', 'source_no', 'text_length', 'title_length'] as row, s.id as source_id, x.text,
        (select jsonb_agg(to_jsonb(m) - 'content_no' order by m.ord) from ${table('content_metadata')} m
          where m.content_no = c.no) as metadata
      from ${table('content')} c join ${table('source')} s on s.no = c.source_no
        join ${table('content_text')} x on x.content_no = c.no order by c.id`),
    counts: await rows(sql`
      select * from ${table('source_count')}
      order by tenant, data_source_id, source_type, file_type`),
    hidden: await rows(sql`select * from ${table('hidden_data_source')} order by data_source_id`),
    statistics: await rows(sql`
      select tenant, contents, text_length, title_length from ${table('lexical_tenant')}
      where contents <> 0 or text_length <> 0 or title_length <> 0 order by tenant`),
    postings: await livePostings(db, schema),
  };
};

/** Which live content has which term, and with what statistics; a content without a row shows as null. */
const livePostings = async (db: Sql, schema: string): Promise<readonly unknown[]> => {
  const table = (name: string) => sql.id(schema, name);
  const { rows } = await sql`
    select t.tenant, p.term, c.id, p.statistics
    from (select tenant_no, term, unnest(nos) as no, unnest(statistics) as statistics
      from ${await storedPostings(db, schema)} p) p
      join ${table('lexical_tenant')} t on t.no = p.tenant_no
      left join ${table('content')} c on c.no = p.no
    where not exists (select from ${table('lexical_dead')} d where d.tenant_no = p.tenant_no and d.no = p.no)
    order by t.tenant, p.term, c.id`.execute(db);
  return rows;
};

/** What must hold of the tables whatever happened; answers the contradictions. */
export const contradictions = (db: Sql, schema: string): Promise<readonly string[]> =>
  inSnapshot(db, (trx) => contradictionsIn(trx, schema));

/** All statements see one moment: segments are merged meanwhile. */
const inSnapshot = <T>(db: Sql, read: (trx: Sql) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);

const contradictionsIn = async (db: Sql, schema: string): Promise<readonly string[]> => {
  const table = (name: string) => sql.id(schema, name);
  const postings = await storedPostings(db, schema);
  const visible = sql`select c.* from ${table('content')} c
    where not exists (select from ${table('hidden_data_source')} h where h.data_source_id = c.data_source_id)`;
  const checks: readonly (readonly [string, ReturnType<typeof sql>])[] = [
    [
      'content_count differs from the rows',
      sql`select from ${table('source')} s where s.content_count <> (
        select count(*) from ${table('content')} c where c.source_no = s.no)`,
    ],
    [
      'contents of a source that is removed, skipped or missing them',
      sql`select from ${table('source')} s where s.content_count > 0
        and (s.status in ('removed', 'skipped') or s.content_missing)`,
    ],
    [
      'a content without a text, or a text without a content',
      sql`select from ${table('content_text')} where coalesce(text, '') = ''
        union all
        select from ${table('source')} s full join (select source_no, sum(cardinality(texts)) as texts
          from ${table('text_block')} group by 1) b on b.source_no = s.no
        where coalesce(b.texts, 0) <> coalesce(s.content_count, 0)`,
    ],
    [
      'metadata without an owner',
      sql`select from ${table('source_metadata')} m left join ${table('source')} s on s.no = m.source_no
        where s.no is null or s.status = 'removed'
        union all
        select from ${table('content_metadata')} m left join ${table('content')} c on c.no = m.content_no
        where c.no is null or c.tenant <> m.tenant`,
    ],
    [
      'counters differ from the rows',
      sql`select from (select data_source_id, count(*) as sources, coalesce(sum(content_count), 0) as contents,
            coalesce(sum((indexed ->> 'raw_bytes')::bigint), 0) as bytes
          from ${table('source')} where status <> 'removed' group by 1) r
        full join (select data_source_id, sum(sources) as sources, sum(contents) as contents, sum(bytes) as bytes
          from ${table('source_count')} group by 1) n using (data_source_id)
        where (coalesce(r.sources, 0), coalesce(r.contents, 0), coalesce(r.bytes, 0))
          is distinct from (coalesce(n.sources, 0), coalesce(n.contents, 0), coalesce(n.bytes, 0))`,
    ],
    [
      'statistics differ from the contents that are visible',
      sql`select from (select tenant, count(*) as n, sum(text_length) as t, sum(title_length) as l
          from (${visible}) v group by 1) v
        full join ${table('lexical_tenant')} s using (tenant)
        where (coalesce(v.n, 0), coalesce(v.t, 0), coalesce(v.l, 0))
          is distinct from (s.contents, s.text_length, s.title_length)`,
    ],
    [
      'something indexed that is not visible, or the other way round',
      sql`select from (select distinct unnest(nos) as no from ${postings} p) p
        full join (select no from (${visible}) v where text_length > 0) v using (no)
        where (v.no is null and not exists (select from ${table('lexical_dead')} d where d.no = p.no)) or p.no is null`,
    ],
    [
      'a visible content that is marked dead',
      sql`select from (${visible}) v join ${table('lexical_dead')} d using (no)`,
    ],
    [
      'frequencies that differ from the postings',
      sql`select from ${postings} p
        where df <> cardinality(nos) or df <> cardinality(statistics)
          or cf <> (select sum(s & 127) from unnest(statistics) s)
          or title_df <> (select count(*) from unnest(statistics) s where (s >> 20) & 7 > 0)
          or nos <> array(select n from unnest(nos) n order by n)`,
    ],
    [
      'frequencies, less those of the dead, that differ from what lives',
      sql`with posting as (
          select tenant_no, term, unnest(nos) as no, unnest(statistics) as s from ${postings} p),
        living as (
          select tenant_no, term, count(*) as df, count(*) filter (where (s >> 20) & 7 > 0) as title_df,
            sum(s & 127) as cf
          from posting p where not exists (
            select from ${table('lexical_dead')} d where d.tenant_no = p.tenant_no and d.no = p.no)
          group by 1, 2),
        counted as (
          select tenant_no, term, sum(df) as df, sum(title_df) as title_df, sum(cf) as cf
          from (select tenant_no, term, df, title_df, cf from ${postings} p
            union all select tenant_no, term, -df, -title_df, -cf from ${deadTerms(schema)} d) c
          group by 1, 2)
        select from living l full join counted c using (tenant_no, term)
        where (coalesce(l.df, 0), coalesce(l.title_df, 0), coalesce(l.cf, 0)) <> (c.df, c.title_df, c.cf)`,
    ],
    [
      'dead words where nothing is dead, or that are not those of their batch',
      sql`select from ${deadTerms(schema)} t where not exists (
          select from ${table('lexical_dead')} d where d.tenant_no = t.tenant_no)
        union all
        select from ${table('lexical_dead_batch')} b where b.terms <> (
          select count(*) from ${deadTerms(schema)} t
          where t.tenant_no = b.tenant_no and t.batch = b.batch)`,
    ],
    [
      'segments that overlap, or do not hold their postings',
      sql`select from ${table('lexical_segment')} s where exists (
          select from ${table('lexical_segment')} o where o.tenant_no = s.tenant_no and o.segment <> s.segment
            and o.first_no <= s.last_no and o.last_no >= s.first_no)
        or exists (select from ${postings} p where p.tenant_no = s.tenant_no
          and p.segment = s.segment and (p.nos[1] < s.first_no or p.nos[cardinality(p.nos)] > s.last_no))`,
    ],
    [
      'terms out of order, or documents of a segment that are not its contents',
      sql`select from ${postings} p where p.is_out_of_order or p.ids <> array(
        select c.id::text from unnest(p.nos) n left join ${table('content')} c on c.no = n order by n)
        and not exists (select from ${table('lexical_dead')} d where d.no = any(p.nos))`,
    ],
  ];
  const found = await Promise.all(
    checks.map(async ([name, query]) => ((await query.execute(db)).rows.length > 0 ? [name] : [])),
  );
  return found.flat();
};

export const emptyCatalog = async (db: Sql, schema: string): Promise<void> => {
  const tables = sql.join(CATALOG_TABLES.map((name) => sql.id(schema, name)));
  await sql`truncate ${tables}`.execute(db);
};

/** Counts of the dead as rows, one for each term of a batch. */
const deadTerms = (schema: string) => {
  const count = (nth: number, usual: number) =>
    sql`coalesce(nullif(split_part(line, ' ', ${sql.lit(nth)}), '')::bigint, ${sql.lit(usual)})`;
  return sql`(select tenant_no, batch, split_part(line, ' ', 1) as term, ${count(2, 1)} as df,
      ${count(3, 0)} as title_df, ${count(4, 1)} as cf
    from ${sql.id(schema, 'lexical_dead_term')}, string_to_table(lines, E'\n') line where line <> '')`;
};
