import { type RawBuilder, sql } from 'kysely';

/** How often each term is asked for; some only by a part. */
export type TermCounts = ReadonlyMap<string, number>;

/** The tenant's number and statistics, as float8; no row where nothing is indexed. */
export const tenantOf = (tenant: string) => sql`tenant as materialized (
  select no, contents::float8 as contents, text_length::float8 as text_length, title_length::float8 as title_length
  from read.lexical_tenant where tenant = ${tenant} and contents > 0)`;

/** As one text: the driver writes an array of hundreds element by element. Terms have no blanks in them. */
const list = (of: Iterable<string | number>) => sql`string_to_array(${[...of].join(' ')}, ' ')`;

/** Terms and how often they are asked for, as rows. */
export const counted = (counts: TermCounts) => sql`
  select term, n from unnest(${list(counts.keys())}, ${list(counts.values())}::float8[]) as c(term, n)`;

/**
 * In how many contents and titles each term occurs, and how often; no row for one that no living content has.
 *
 * @param terms a query of terms
 */
export const frequenciesOf = (terms: RawBuilder<unknown>) => sql`
  select term, sum(df)::float8 as df, sum(title_df)::float8 as title_df, sum(cf)::float8 as cf
  from (
    select term, df, title_df, cf from read.lexical_posting
    where tenant_no = (select no from tenant) and term = any(array(${terms}))
    union all
    select term, -df, -title_df, -cf from read.lexical_dead_term
    where tenant_no = (select no from tenant) and term = any(array(${terms}))) counted
  group by term having sum(df) > 0`;
