import { type RawBuilder, sql } from 'kysely';
import { packedNumbers } from '../packed-numbers.ts';
import type { Sql } from '../sql.ts';
import type { TopHits } from '../../../domain/ranking/top-k.ts';
import { bigintArray } from './binary-array.ts';
import { newlyHiddenDataSources, withheldSources } from '../withheld/conditions.ts';
import { counted, frequenciesOf, tenantOf, type TermCounts } from './term-frequencies.ts';
import type { IndexState } from './read-postings.ts';
import { FEEDBACK_CONTENTS, type QueryTerm } from '../../../domain/ranking/term-weights.ts';

/** Conditions on `read.content` as `c`. Null: all that is indexed and alive. */
export interface Candidates {
  /** Contents that are ranked. */
  readonly allowed: RawBuilder<boolean> | null;
  /** Of the ranked, those that are shown. */
  readonly shown: RawBuilder<boolean> | null;
}

/** What a ranking begins with. */
export interface Beginning extends IndexState {
  /** Living contents of the tenant, and the lengths of all their texts and titles in terms. */
  readonly contents: number;
  readonly textLength: number;
  readonly titleLength: number;
  /** Whether counts of terms have to be lessened by those of the dead. */
  readonly hasDeadTerms: boolean;
  /** The query's own terms that any content has. */
  readonly terms: readonly QueryTerm[];
  /** Packed numbers of contents: those that are ranked, or null, and then those that are not. */
  readonly allowed: Buffer | null;
  readonly dead: Buffer;
  /** Of those that are shown, null for all that are ranked. */
  readonly shown: Buffer | null;
}

/**
 * Languages other than the usual one that contents of the tenant are or were indexed by; null where it has nothing
 * indexed. The first statement: it holds the version of the catalog until the end.
 */
export const languagesOf = async (trx: Sql, tenant: string): Promise<readonly string[] | null> => {
  const { rows } = await sql<{ languages: readonly string[] }>`
    select languages from read.lexical_tenant where tenant = ${tenant} and contents > 0`.execute(trx);
  return rows[0]?.languages ?? null;
};

/** Null where the tenant has nothing indexed. */
export const beginning = async (
  trx: Sql,
  tenant: string,
  asked: TermCounts,
  { allowed, shown }: Candidates,
): Promise<Beginning | null> => {
  const numbers = (which: RawBuilder<boolean> | null) =>
    which === null
      ? sql<null>`null`
      : sql<Buffer>`(select ${packedNumbers(sql`c.no`)} from read.content c where ${which})`;
  const dead = sql`(select ${packedNumbers(sql`d.no`)} from (
    select no from read.lexical_dead where tenant_no = t.no
    union all select no from read.content where data_source_id = any(${newlyHiddenDataSources(tenant)})
    union all select no from read.content where source_no = any(${withheldSources(tenant)})) d)`;
  const { rows } = await sql<Beginning>`
    with ${tenantOf(tenant)}, term as materialized (${counted(asked)}),
    frequency as materialized (${frequenciesOf(sql`select term from term`)})
    select (select version from projection_version where view = 'catalog' and live) as version,
      t.no as tenant_no, t.contents, t.text_length, t.title_length,
      exists (select from read.lexical_dead_batch where tenant_no = t.no) as has_dead_terms,
      (select coalesce(json_agg(json_build_object(
        'term', f.term, 'n', q.n, 'df', f.df, 'title_df', f.title_df)), '[]')
        from term q join frequency f using (term)) as terms,
      (select coalesce(json_agg(json_build_object(
        'segment', s.segment, 'first_no', s.first_no, 'last_no', s.last_no) order by s.first_no), '[]')
        from read.lexical_segment s where s.tenant_no = t.no) as segments,
      ${numbers(allowed)} as allowed, ${allowed === null ? dead : sql`''::bytea`} as dead,
      ${numbers(shown)} as shown
    from tenant t`.execute(trx);
  return rows[0] ?? null;
};

export interface BestContent {
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
  readonly language: string;
}

/** The best of these: what the feedback is read from. */
export const feedbackContents = async (
  trx: Sql,
  { nos, scores }: TopHits,
): Promise<readonly BestContent[]> => {
  const { rows } = await sql<BestContent>`
    select s.title, x.heading_path as headings, x.text, coalesce(s.indexed ->> 'language', '') as language
    from unnest(${bigintArray(Float64Array.from(nos))}::bigint[], ${scores}::float8[]) as b(no, score)
      join read.content c on c.no = b.no join read.source s on s.no = c.source_no
      join read.content_text x on x.content_no = c.no
    order by b.score desc, c.id limit ${FEEDBACK_CONTENTS}`.execute(trx);
  return rows;
};

/** Ids of these, best first, equal scores by id; at most `limit`, none below `minScore`. */
export const identified = async (
  trx: Sql,
  { nos, scores }: TopHits,
  { limit, minScore = 0 }: { readonly limit: number; readonly minScore?: number },
): Promise<readonly { readonly contentId: string; readonly score: number }[]> => {
  const { rows } = await sql<{ contentId: string; score: number }>`
    select c.id as content_id, b.score
    from unnest(${bigintArray(Float64Array.from(nos))}::bigint[], ${scores}::float8[]) as b(no, score)
      join read.content c on c.no = b.no
    where b.score >= ${minScore}::float8 order by b.score desc, c.id limit ${limit}`.execute(trx);
  return rows;
};
