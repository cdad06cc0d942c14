import { type RawBuilder, sql } from 'kysely';
import { unpacked } from './posting-statistics.ts';
import { DICTIONARY } from './stems.ts';

/** Parts of the ranking statements. BM25 (Robertson and Zaragoza, 2009), with these usual constants. */
const K1 = 1.2;
const B = 0.75;

export type WordCounts = ReadonlyMap<string, number>;

/** The tenant's number and statistics; no row where nothing is indexed. All numbers are float8: see `inverse`. */
export const tenantOf = (tenant: string) => sql`tenant as materialized (
  select no, contents::float8 as contents,
    ${sql.lit(K1 * B)}::float8 * contents / greatest(text_length, 1) as per_text_length,
    ${sql.lit(K1 * B)}::float8 * contents / greatest(title_length, 1) as per_title_length
  from read.lexical_tenant where tenant = ${tenant} and contents > 0)`;

/** Terms of words and how often they occur, stop words left out. */
export const stemmed = (counts: WordCounts) => sql`
  select stem as term, sum(n)::float8 as n
  from unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::int[]) as w(word, n)
    cross join lateral unnest(ts_lexize(${DICTIONARY}, word)) as stem
  group by stem`;

/** @param terms a query of terms */
export const frequenciesOf = (terms: RawBuilder<unknown>) => sql`
  select p.term, sum(p.df)::float8 as df, sum(p.title_df)::float8 as title_df, sum(p.cf)::float8 as cf
  from read.lexical_posting p where p.tenant_no = (select no from tenant) and p.term = any(array(${terms}))
  group by p.term`;

/**
 * Inverse document frequency, never negative, with BM25's constant factor. In float8 and once per term: as numeric, or
 * inlined per posting, the same query takes ten times as long. Dead contents still count in `df` until their segments
 * are merged, so that it can exceed the number of contents.
 */
export const inverse = (df: RawBuilder<unknown>) => sql`(${sql.lit(K1 + 1)}::float8
  * ln(1 + (greatest(tenant.contents, ${df}) - ${df} + 0.5) / (${df} + 0.5)))`;

/** Frequency of a term, saturated and set against the length of its field: f / (f + K1 (1 - B + B length / average)). */
const saturated = (
  frequency: RawBuilder<unknown>,
  length: RawBuilder<unknown>,
  perLength: RawBuilder<unknown>,
) => sql`1 / (1 + (${sql.lit(K1 * (1 - B))}::float8 + ${length} * ${perLength}) / ${frequency})`;

/**
 * `hit`: the score of every candidate that has a term of `weight`: `base` weighs it in the text. With both fields,
 * `title` weighs it in the title too, and a second score, `feedback`, in the text again.
 *
 * The costs are those of this statement's expressions, some hundred thousand times. Arrays are unnested in the select
 * list, which streams them; in FROM they would be stored first. OFFSET 0 keeps the planner from working out the same
 * division twice.
 *
 * @param allowed condition on `read.content` as `c`; null: all that is indexed and alive
 */
export const hits = (fields: 'text' | 'text and title', allowed: RawBuilder<boolean> | null) => {
  const { frequency, length, titleFrequency, titleLength } = unpacked(sql<number>`p.statistics`);
  const ofText = saturated(frequency, length, sql`(select per_text_length from tenant)`);
  const ofTitle = sql`case when p.title > 0 and ${titleFrequency} > 0
    then p.title * ${saturated(titleFrequency, titleLength, sql`(select per_title_length from tenant)`)} else 0 end`;
  const both = fields === 'text and title';
  return sql`posting as (
      select w.base, ${both ? sql`w.title, w.feedback,` : sql``}
        unnest(p.nos) as no, unnest(p.statistics) as statistics
      from read.lexical_posting p join weight w using (term)
      where p.tenant_no = (select no from tenant) and p.term = any(array(select term from weight))),
    impact as (
      select p.no, p.base, ${ofText} as of_text ${both ? sql`, p.feedback, ${ofTitle} as of_title` : sql``}
      from posting p offset 0),
    hit as materialized (
      select i.no, ${
        both
          ? sql`sum(i.base * i.of_text + i.of_title) as base, sum(i.feedback * i.of_text) as feedback`
          : sql`sum(i.base * i.of_text) as base`
      }
      from impact i ${isCandidate(allowed)})`;
};

/** Looked up in a hash, which IS TRUE asks for: as a join it would be planned without knowing how many rows there are. */
const isCandidate = (allowed: RawBuilder<boolean> | null) =>
  allowed === null
    ? sql`group by i.no having i.no not in (
        select d.no from read.lexical_dead d where d.tenant_no = (select no from tenant))`
    : sql`where (i.no in (select c.no from read.content c where ${allowed})) is true group by i.no`;

/**
 * `best`: the highest scores, more than `limit` where the last are equal, for ids to decide. Found in two passes, the
 * first of which keeps a heap of `limit` scores: FETCH … WITH TIES would sort all of them.
 */
export const best = (score: RawBuilder<unknown>, from: RawBuilder<unknown>, limit: number) => sql`
  cut as materialized (
    select min(top.score) as score
    from (select ${rounded(score)} as score from ${from} order by 1 desc limit ${limit}) top),
  best as materialized (
    select h.no, ${rounded(score)} as score from ${from} where ${rounded(score)} >= (select score from cut))`;

/** Sums differ in their last digits with the order of segments; equal contents must score equally. */
const rounded = (score: RawBuilder<unknown>) =>
  sql`(floor(${score} * 1e9::float8 + 0.5::float8) / 1e9::float8)`;
