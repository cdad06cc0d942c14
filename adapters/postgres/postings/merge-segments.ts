import { sql } from 'kysely';
import type { Sql } from '../sql.ts';
import { chooseMerge, FAN_IN, type MergeCandidate } from '../../../domain/ranking/merge-policy.ts';
import { insertionOf, mergeDeadTerms, removalOf } from './dead-terms.ts';

/**
 * Merges at most `limit` (at least 8) segments of one tenant into one, takes the dead out of one, or adds up what is to
 * be subtracted for the dead. Answers how many there were: 0 when there is nothing to do, or when another process is at
 * it in this schema. Seconds at most.
 *
 * To be called in a transaction of its own, in which all of it happens or nothing. Readers see what was before or what
 * is after, with equal answers, and wait for neither. The projector only adds rows, and a merge takes away only rows
 * that it has seen: neither waits for the other.
 */
export const mergeSegments = async (trx: Sql, schema: string, limit = 2 * FAN_IN): Promise<number> => {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtext(${`merge ${schema}`})) as mine`.execute(trx);
  if (rows[0]?.mine !== true) return 0;
  await sql`select set_config('work_mem', '64MB', true)`.execute(trx);
  const next = await findMerge(trx, schema, limit);
  if (next === null) return mergeDeadTerms(trx, schema, limit);
  const [first] = next.segments;
  if (first !== undefined && next.segments.length === 1)
    await rewrite(trx, schema, next.tenantNo, first.segment);
  else await concatenate(trx, schema, next.tenantNo, next.segments);
  return next.segments.length;
};

const findMerge = async (
  trx: Sql,
  schema: string,
  limit: number,
): Promise<{ readonly tenantNo: number; readonly segments: readonly MergeCandidate[] } | null> => {
  const { rows } = await sql<MergeCandidate & { tenantNo: number }>`
    select s.tenant_no, s.segment, s.contents, count(d.no) as dead
    from ${sql.id(schema, 'lexical_segment')} s left join ${sql.id(schema, 'lexical_dead')} d
      on d.tenant_no = s.tenant_no and d.no between s.first_no and s.last_no
    group by s.tenant_no, s.segment order by s.tenant_no, s.first_no`.execute(trx);
  for (const [tenantNo, segments] of Map.groupBy(rows, (row) => row.tenantNo)) {
    const chosen = chooseMerge(segments, limit);
    if (chosen.length > 0) return { tenantNo, segments: chosen };
  }
  return null;
};

/**
 * Whole arrays one after the other, the dead among them, as nothing has to be unpacked for that. In the order of their
 * contents, which is not that of their numbers: a segment that was rewritten has a newer number than its successors.
 */
const concatenate = async (
  trx: Sql,
  schema: string,
  tenantNo: number,
  segments: readonly MergeCandidate[],
): Promise<void> => {
  const table = (name: string) => sql.id(schema, name);
  const these = sql`tenant_no = ${tenantNo} and segment = any(${segments.map(({ segment }) => segment)}::bigint[])`;
  const concatenated = sql.id(schema, 'lexical_concatenation');
  await sql`
    with old as (
      delete from ${table('lexical_segment')} where ${these} returning first_no, last_no, contents),
    merged as (
      insert into ${table('lexical_segment')} (tenant_no, first_no, last_no, contents)
      select ${tenantNo}, min(first_no), max(last_no), sum(contents) from old returning segment),
    vocabulary as (delete from ${table('lexical_vocabulary')} where ${these} returning words),
    united as (
      insert into ${table('lexical_vocabulary')} (tenant_no, segment, words)
      select ${tenantNo}, (select segment from merged), coalesce(string_agg(distinct line, E'\n'), '')
      from vocabulary, string_to_table(words, E'\n') line),
    posting as (
      delete from ${table('lexical_posting')} where ${these}
      returning term, segment, df, title_df, cf, nos, statistics)
    insert into ${table('lexical_posting')} (tenant_no, segment, term, df, title_df, cf, nos, statistics)
    select ${tenantNo}, (select segment from merged), term, sum(df), sum(title_df), sum(cf),
      ${concatenated}(nos order by nos[1]), ${concatenated}(statistics order by nos[1])
    from posting group by term`.execute(trx);
};

/**
 * The dead that are taken out of postings, those deleted from the list and what no longer has to be subtracted are the
 * same: one statement, one snapshot.
 */
const rewrite = async (trx: Sql, schema: string, tenantNo: number, segment: number): Promise<void> => {
  const table = (name: string) => sql.id(schema, name);
  const it = sql`tenant_no = ${tenantNo} and segment = ${segment}`;
  await sql`
    with old as (
      delete from ${table('lexical_segment')} where ${it} returning first_no, last_no, contents),
    gone as (
      delete from ${table('lexical_dead')} d using old
      where d.tenant_no = ${tenantNo} and d.no between old.first_no and old.last_no returning d.no),
    rewritten as (
      insert into ${table('lexical_segment')} (tenant_no, first_no, last_no, contents)
      select ${tenantNo}, first_no, last_no, contents - (select count(*) from gone) from old
      where contents > (select count(*) from gone) returning segment),
    torn as (
      delete from ${table('lexical_posting')} where ${it} returning term, df, title_df, cf, nos, statistics),
    kept as (
      insert into ${table('lexical_posting')} (tenant_no, segment, term, df, title_df, cf, nos, statistics)
      select ${tenantNo}, (select segment from rewritten), t.term, l.df, l.title_df, l.cf, l.nos, l.statistics
      from torn t cross join lateral (
        select count(*) as df, count(*) filter (where (statistics >> 20) & 7 > 0) as title_df,
          sum(statistics & 127) as cf, array_agg(no order by no) as nos, array_agg(statistics order by no) as statistics
        from (select unnest(t.nos) as no, unnest(t.statistics) as statistics) p
        where no not in (select no from gone)) l
      where l.df > 0
      returning term, df, title_df, cf),
    vocabulary as (delete from ${table('lexical_vocabulary')} where ${it} returning words),
    spelled as (
      insert into ${table('lexical_vocabulary')} (tenant_no, segment, words)
      select ${tenantNo}, segment, (
        select coalesce(string_agg(line, E'\n'), '') from vocabulary, string_to_table(words, E'\n') line
        where substring(line from '[^ ]+$') in (select term from kept))
      from rewritten),
    ${removalOf(schema, tenantNo)},
    term as materialized (
      select term, sum(df) as df, sum(title_df) as title_df, sum(cf) as cf
      from (
        select * from outdated
        union all select term, -df, -title_df, -cf from torn
        union all select * from kept) counted
      group by term having sum(df) <> 0 or sum(title_df) <> 0 or sum(cf) <> 0),
    ${insertionOf(schema, tenantNo)}`.execute(trx);
};
