import { type RawBuilder, sql } from 'kysely';
import type { Ranking } from '../../../application/ports/lexical-index.ts';
import type { Sql } from '../projections/projection.ts';
import { unpacked } from './posting-statistics.ts';
import { DICTIONARY } from './stems.ts';

/** Conditions on `read.content` as `c`. Null: all that is indexed and alive. */
export interface Candidates {
  /** Contents that are ranked. */
  readonly allowed: RawBuilder<boolean> | null;
  /** Of the ranked, those that are shown. */
  readonly shown: RawBuilder<boolean> | null;
}

export type WordCounts = ReadonlyMap<string, number>;

export interface BestContent {
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
}

/** BM25 (Robertson and Zaragoza, 2009), with the frequency of a term in the query as its weight. */
const K1 = 1.2;
const B = 0.75;
const TITLE_WEIGHT = 0.3;
/** Contents and terms of the feedback, as measured on five test collections. */
const FEEDBACK_CONTENTS = 5;
const FEEDBACK_TERMS = 20;

/** The contents that match best by their text alone: what the feedback is read from. */
export const bestByText = async (
  trx: Sql,
  tenant: string,
  words: WordCounts,
  { allowed }: Candidates,
): Promise<readonly BestContent[]> => {
  const { rows } = await sql<BestContent>`
    with ${tenantOf(tenant)}, term as materialized (${stemmed(words)}),
    frequency as materialized (${frequenciesOf(sql`select term from term`)}),
    weight as materialized (
      select t.term, t.n * ${inverse(sql`f.df`)} as base, 0::float8 as title, 0::float8 as feedback
      from term t join frequency f using (term) cross join tenant),
    ${scored(allowed)}, ${best(sql`hit`, sql`base`, FEEDBACK_CONTENTS)}
    select s.title, x.heading_path as headings, x.text
    from best b join read.content c on c.no = b.no join read.source s on s.no = c.source_no
      join read.content_text x on x.content_no = c.no
    order by b.score desc, c.id limit ${FEEDBACK_CONTENTS}`.execute(trx);
  return rows;
};

/**
 * Two scores, each divided by its greatest value so that they weigh the same: BM25 of the query on text and title, and
 * BM25 on the text of the query widened by the feedback's terms, which Bo1 chooses and weighs: the divergence of their
 * frequency in the feedback from that in the collection (Amati, 2003, Bose-Einstein model).
 */
export const rankWithFeedback = async (
  trx: Sql,
  tenant: string,
  words: WordCounts,
  feedback: WordCounts,
  { allowed, shown }: Candidates,
  { limit, min_score = 0 }: { readonly limit: number; readonly min_score?: number },
): Promise<Ranking> => {
  const visible =
    shown === null
      ? sql``
      : sql`where exists (
    select from read.content c where c.no = ranked.no and ${shown})`;
  const { rows } = await sql<{ total: number; content_id: string | null; score: number | null }>`
    with ${tenantOf(tenant)}, term as materialized (${stemmed(words)}),
    fed as materialized (${stemmed(feedback)}),
    frequency as materialized (${frequenciesOf(sql`select term from term union select term from fed`)}),
    bo1 as materialized (${bo1()}),
    weight as materialized (
      select term, coalesce(t.n, 0) * ${inverse(sql`f.df`)} as base,
        coalesce(t.n, 0) * ${sql.lit(TITLE_WEIGHT)}::float8 * ${inverse(sql`f.title_df`)} as title,
        (coalesce(t.n / (select max(n) from term), 0) + coalesce(o.weight / (select max(weight) from bo1), 0))
          * ${inverse(sql`f.df`)} as feedback
      from term t full join bo1 o using (term) join frequency f using (term) cross join tenant),
    ${scored(allowed)},
    bound as materialized (select count(*) as total, max(base) as base, max(feedback) as feedback from hit),
    ranked as materialized (
      select no, ${rounded(sql`(h.base / b.base + h.feedback / b.feedback) / 2`)} as score
      from hit h cross join bound b),
    seen as materialized (select * from ranked ${visible}),
    ${best(sql`seen`, sql`score`, limit)}
    select bound.total, c.id as content_id, b.score from bound
      left join (best b join read.content c on c.no = b.no) on b.score >= ${min_score}::float8
    order by b.score desc, c.id limit ${limit}`.execute(trx);
  return {
    total_candidates: rows[0]?.total ?? 0,
    ranked: rows.flatMap(({ content_id, score }) =>
      content_id === null || score === null ? [] : [{ content_id, score }],
    ),
  };
};

/** The tenant's number and statistics; no row where nothing is indexed. All numbers are float8: see `inverse`. */
const tenantOf = (tenant: string) => sql`tenant as materialized (
  select no, contents::float8 as contents, greatest(text_length, 1)::float8 / contents as text_average,
    greatest(title_length, 1)::float8 / contents as title_average
  from read.lexical_tenant where tenant = ${tenant} and contents > 0)`;

/** Terms of words and how often they occur, stop words left out. */
const stemmed = (counts: WordCounts) => sql`
  select stem as term, sum(n)::float8 as n
  from unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::int[]) as w(word, n)
    cross join lateral unnest(ts_lexize(${DICTIONARY}, word)) as stem
  group by stem`;

const frequenciesOf = (terms: RawBuilder<unknown>) => sql`
  select p.term, sum(p.df)::float8 as df, sum(p.title_df)::float8 as title_df, sum(p.cf)::float8 as cf
  from read.lexical_posting p where p.tenant_no = (select no from tenant) and p.term = any(array(${terms}))
  group by p.term`;

/**
 * Inverse document frequency, never negative, with BM25's constant factor. In float8 and once per term: as numeric, or
 * inlined per posting, the same query takes ten times as long. Dead contents still count in `df` until their segments
 * are merged, so that it can exceed the number of contents.
 */
const inverse = (df: RawBuilder<unknown>) => sql`(${sql.lit(K1 + 1)}::float8
  * ln(1 + (greatest(tenant.contents, ${df}) - ${df} + 0.5) / (${df} + 0.5)))`;

const bo1 = () => sql`
  select term, w.n * ln((1 + p) / p) + ln(1 + p) as weight
  from fed w join frequency f using (term) cross join tenant cross join lateral (select f.cf / tenant.contents as p) x
  order by weight desc, term limit ${FEEDBACK_TERMS}`;

/** Frequency of a term, saturated and set against the length of its field. */
const saturated = (
  frequency: RawBuilder<unknown>,
  length: RawBuilder<unknown>,
  average: RawBuilder<unknown>,
) =>
  sql`${frequency} / (${frequency} + ${sql.lit(K1 * (1 - B))}::float8
    + ${sql.lit(K1 * B)}::float8 * ${length} / ${average})`;

/**
 * `hit`: the scores of every candidate that has a term of `weight`. Arrays are unnested in the select list, which
 * streams them; in FROM they would be stored first.
 */
const scored = (allowed: RawBuilder<boolean> | null) => {
  const { frequency, length, titleFrequency, titleLength } = unpacked(sql<number>`p.statistics`);
  const ofText = saturated(frequency, length, sql`(select text_average from tenant)`);
  const ofTitle = saturated(titleFrequency, titleLength, sql`(select title_average from tenant)`);
  return sql`posting as (
      select w.base, w.title, w.feedback, unnest(p.nos) as no, unnest(p.statistics) as statistics
      from read.lexical_posting p join weight w using (term)
      where p.tenant_no = (select no from tenant) and p.term = any(array(select term from weight))),
    hit as materialized (
      select p.no, sum(p.feedback * x.of_text) as feedback, sum(p.base * x.of_text
        + case when p.title > 0 and ${titleFrequency} > 0 then p.title * ${ofTitle} else 0 end) as base
      from posting p cross join lateral (select ${ofText} as of_text) x
      ${isCandidate(allowed)})`;
};

/** Looked up in a hash, which IS TRUE asks for: as a join it would be planned without knowing how many rows there are. */
const isCandidate = (allowed: RawBuilder<boolean> | null) =>
  allowed === null
    ? sql`group by p.no having p.no not in (
        select d.no from read.lexical_dead d where d.tenant_no = (select no from tenant))`
    : sql`where (p.no in (select c.no from read.content c where ${allowed})) is true group by p.no`;

/** `best`: the rows with the highest scores; more than `limit` where the last are equal, for ids to decide. */
const best = (from: RawBuilder<unknown>, score: RawBuilder<unknown>, limit: number) => sql`
  best as materialized (
    select no, ${rounded(score)} as score from ${from} order by 2 desc fetch first (${limit}::bigint) rows with ties)`;

/** Sums differ in their last digits with the order of segments; equal contents must score equally. */
const rounded = (score: RawBuilder<unknown>) =>
  sql`(floor(${score} * 1e9::float8 + 0.5::float8) / 1e9::float8)`;
