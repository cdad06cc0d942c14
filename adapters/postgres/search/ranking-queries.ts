import { type RawBuilder, sql } from 'kysely';
import type { Ranking } from '../../../application/ports/lexical-index.ts';
import type { Sql } from '../projections/projection.ts';
import { best, frequenciesOf, hits, inverse, stemmed, tenantOf, type WordCounts } from './bm25.ts';

/** Conditions on `read.content` as `c`. Null: all that is indexed and alive. */
export interface Candidates {
  /** Contents that are ranked. */
  readonly allowed: RawBuilder<boolean> | null;
  /** Of the ranked, those that are shown. */
  readonly shown: RawBuilder<boolean> | null;
}

export interface BestContent {
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
}

/** Weight of the title, and contents and terms of the feedback, as measured on five test collections. */
const TITLE_WEIGHT = 0.3;
const FEEDBACK_CONTENTS = 5;
const FEEDBACK_TERMS = 20;
/** Contents with a term up to which it costs little to score. */
const CHEAP = 1_000;

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
      select t.term, t.n * ${inverse(sql`f.df`)} as base
      from term t join frequency f using (term) cross join tenant),
    ${hits('text', allowed)}, ${best(sql`h.base`, sql`hit h`, FEEDBACK_CONTENTS)}
    select s.title, x.heading_path as headings, x.text
    from best b join read.content c on c.no = b.no join read.source s on s.no = c.source_no
      join read.content_text x on x.content_no = c.no
    order by b.score desc, c.id limit ${FEEDBACK_CONTENTS}`.execute(trx);
  return rows;
};

/**
 * Two scores, each divided by its greatest value so that they weigh the same: BM25 of the query on text and title, and
 * BM25 on the text of the query widened by terms of the feedback.
 */
export const rankWithFeedback = async (
  trx: Sql,
  tenant: string,
  words: WordCounts,
  feedback: WordCounts,
  { allowed, shown }: Candidates,
  { limit, min_score = 0 }: { readonly limit: number; readonly min_score?: number },
): Promise<Ranking> => {
  const score = sql`(h.base / m.base + h.feedback / m.feedback) / 2`;
  const seen =
    shown === null
      ? { with: sql``, name: sql`hit` }
      : {
          with: sql`seen as materialized (
            select h.* from hit h join read.content c on c.no = h.no where ${shown}),`,
          name: sql`seen`,
        };
  const { rows } = await sql<{ total: number; content_id: string | null; score: number | null }>`
    with ${tenantOf(tenant)}, term as materialized (${stemmed(words)}),
    fed as materialized (${stemmed(feedback)}),
    frequency as materialized (${frequenciesOf(sql`select term from term union select term from fed`)}),
    bo1 as materialized (${bo1()}), weight as materialized (${widened()}),
    ${hits('text and title', allowed)},
    bound as materialized (select count(*) as total, max(base) as base, max(feedback) as feedback from hit),
    ${seen.with} ${best(score, sql`${seen.name} h cross join bound m`, limit)}
    select bound.total, c.id as content_id, b.score from bound
      left join (best b join read.content c on c.no = b.no) on b.score >= ${min_score}::float8
    order by b.score desc, c.id limit ${limit}`.execute(trx);
  return {
    total_candidates: rows[0]?.total ?? 0,
    ranked: rows.flatMap(({ content_id, score: found }) =>
      content_id === null || found === null ? [] : [{ content_id, score: found }],
    ),
  };
};

/**
 * The feedback's most telling terms: by Bo1, the divergence of their frequency in the feedback from that in the
 * collection (Amati, "Probability models for information retrieval based on divergence from randomness", 2003). Those
 * in more than a tenth of a large collection are left out: they tell little (on test collections nothing was lost), and
 * cost most. Terms of the query itself are never left out.
 */
const bo1 = () => sql`
  select term, w.n * ln((1 + p) / p) + ln(1 + p) as weight
  from fed w join frequency f using (term) cross join tenant cross join lateral (select f.cf / tenant.contents as p) x
  where f.df <= greatest(${sql.lit(CHEAP)}, tenant.contents / 10)
  order by weight desc, term collate "C" limit ${FEEDBACK_TERMS}`;

/** Terms of the query by their frequency in it; in the feedback's query both parts weigh at most 1 per term. */
const widened = () => sql`
  select term, coalesce(t.n, 0) * ${inverse(sql`f.df`)} as base,
    coalesce(t.n, 0) * ${sql.lit(TITLE_WEIGHT)}::float8 * ${inverse(sql`f.title_df`)} as title,
    (coalesce(t.n / (select max(n) from term), 0) + coalesce(o.weight / (select max(weight) from bo1), 0))
      * ${inverse(sql`f.df`)} as feedback
  from term t full join bo1 o using (term) join frequency f using (term) cross join tenant`;
