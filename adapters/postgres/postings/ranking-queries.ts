import { type RawBuilder, sql } from 'kysely';
import { packedNumbers } from '../packed-numbers.ts';
import type { Sql } from '../sql.ts';
import type { TopHits } from '../../../domain/ranking/top-k.ts';
import { bigintArray } from './binary-array.ts';
import { newlyHiddenDataSources, withheldSources } from '../withheld/conditions.ts';
import { frequenciesOf, inverse, stemmed, tenantOf, type WordCounts } from './term-frequencies.ts';
import type { IndexState } from './read-postings.ts';
import type {
  FeedbackTermWeight,
  LengthNormalisation,
  QueryTermWeight,
} from '../../../domain/ranking/bm25.ts';

/** Conditions on `read.content` as `c`. Null: all that is indexed and alive. */
export interface Candidates {
  /** Contents that are ranked. */
  readonly allowed: RawBuilder<boolean> | null;
  /** Of the ranked, those that are shown. */
  readonly shown: RawBuilder<boolean> | null;
}

/** What a ranking begins with. */
export interface Beginning extends IndexState, LengthNormalisation {
  /** The query's own terms that any content has. */
  readonly weights: readonly QueryTermWeight[];
  /** What a point that a text has by these counts in the score of the feedback: there each weighs at most 1. */
  readonly feedback_weight: number;
  /** Packed numbers of contents: those that are ranked, or null, and then those that are not. */
  readonly allowed: Buffer | null;
  readonly dead: Buffer;
  /** Of those that are shown, null for all that are ranked. */
  readonly shown: Buffer | null;
}

/** Weight of the title, and contents and terms of the feedback, as measured on five test collections. */
const TITLE_WEIGHT = 0.3;
export const FEEDBACK_CONTENTS = 5;
const FEEDBACK_TERMS = 20;
/** Contents with a term up to which it costs little to score. */
const CHEAP = 1_000;

/** Null where the tenant has nothing indexed. The first statement: it holds the version of the catalog until the end. */
export const beginning = async (
  trx: Sql,
  tenant: string,
  words: WordCounts,
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
    with ${tenantOf(tenant)}, term as materialized (${stemmed(words)}),
    frequency as materialized (${frequenciesOf(sql`select term from term`)}),
    weight as materialized (
      select t.term, f.df, t.n * i.text as text, t.n * ${sql.lit(TITLE_WEIGHT)}::float8 * i.title as title
      from term t join frequency f using (term) cross join tenant
        cross join lateral (select ${inverse(sql`f.df`)} as text, ${inverse(sql`f.title_df`)} as title) i)
    select (select version from projection_version where view = 'catalog' and live) as version,
      t.no as tenant_no, t.per_text_length, t.per_title_length,
      (select coalesce(json_agg(w order by w.df, w.term), '[]') from weight w) as weights,
      (select 1 / max(n) from term) as feedback_weight,
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
}

/** The best of these: what the feedback is read from. */
export const feedbackContents = async (
  trx: Sql,
  { nos, scores }: TopHits,
): Promise<readonly BestContent[]> => {
  const { rows } = await sql<BestContent>`
    select s.title, x.heading_path as headings, x.text
    from unnest(${bigintArray(Float64Array.from(nos))}::bigint[], ${scores}::float8[]) as b(no, score)
      join read.content c on c.no = b.no join read.source s on s.no = c.source_no
      join read.content_text x on x.content_no = c.no
    order by b.score desc, c.id limit ${FEEDBACK_CONTENTS}`.execute(trx);
  return rows;
};

/** What the most telling terms of the feedback weigh in the feedback's query, at most 1 but for rarity; the rarest first. */
export const feedbackWeights = async (
  trx: Sql,
  tenant: string,
  feedback: WordCounts,
): Promise<readonly FeedbackTermWeight[]> => {
  const { rows } = await sql<FeedbackTermWeight>`
    with ${tenantOf(tenant)}, fed as materialized (${stemmed(feedback)}),
    frequency as materialized (${frequenciesOf(sql`select term from fed`)}),
    bo1 as materialized (${bo1()})
    select term, o.weight / (select max(weight) from bo1) * ${inverse(sql`f.df`)} as text
    from bo1 o join frequency f using (term) cross join tenant
    order by f.df, term`.execute(trx);
  return rows;
};

/** Ids of these, best first, equal scores by id; at most `limit`, none below `min_score`. */
export const identified = async (
  trx: Sql,
  { nos, scores }: TopHits,
  { limit, min_score = 0 }: { readonly limit: number; readonly min_score?: number },
): Promise<readonly { readonly content_id: string; readonly score: number }[]> => {
  const { rows } = await sql<{ content_id: string; score: number }>`
    select c.id as content_id, b.score
    from unnest(${bigintArray(Float64Array.from(nos))}::bigint[], ${scores}::float8[]) as b(no, score)
      join read.content c on c.no = b.no
    where b.score >= ${min_score}::float8 order by b.score desc, c.id limit ${limit}`.execute(trx);
  return rows;
};

/**
 * The feedback's most telling terms: by Bo1, the divergence of their frequency in the feedback from that in the
 * collection (Amati, "Probability models for information retrieval based on divergence from randomness", 2003). Those
 * in more than a tenth of a large collection are left out: they tell little (on test collections nothing was lost), and
 * cost most. Terms of the query itself weigh as its own all the same.
 */
const bo1 = () => sql`
  select term, w.n * ln((1 + p) / p) + ln(1 + p) as weight
  from fed w join frequency f using (term) cross join tenant cross join lateral (select f.cf / tenant.contents as p) x
  where f.df <= greatest(${sql.lit(CHEAP)}, tenant.contents / 10)
  order by weight desc, term collate "C" limit ${FEEDBACK_TERMS}`;
