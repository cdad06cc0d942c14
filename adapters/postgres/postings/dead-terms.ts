import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../database-schema.ts';
import { intArray } from '../bulk-values.ts';
import { chooseMerge, type MergeCandidate } from '../../../domain/ranking/merge-policy.ts';

/** In how many dead contents a term occurs, in how many of their titles, and how often in all. */
export interface TermCounts {
  df: number;
  titleDf: number;
  cf: number;
}

export const insertDeadTerms = async (
  trx: Sql,
  schema: string,
  tenantNo: number,
  counts: ReadonlyMap<string, TermCounts>,
): Promise<void> => {
  if (counts.size === 0) return;
  await sql`with term as materialized (${rowsOf(counts)}), ${insertionOf(schema, tenantNo)}`.execute(trx);
};

const rowsOf = (counts: ReadonlyMap<string, TermCounts>): RawBuilder<unknown> => {
  const numbers = (name: keyof TermCounts) =>
    intArray(Int32Array.from(counts.values(), (ofTerm) => ofTerm[name]));
  return sql`select * from unnest(${[...counts.keys()]}::text[], ${numbers('df')}::int[],
    ${numbers('titleDf')}::int[], ${numbers('cf')}::int[]) as t(term, df, title_df, cf)`;
};

/** What postings no longer hold is no longer to be subtracted; adds up what remains as one batch. */
export const lessenDeadTerms = async (
  trx: Sql,
  schema: string,
  tenantNo: number,
  by: ReadonlyMap<string, TermCounts>,
): Promise<void> => {
  await sql`with ${removalOf(schema, tenantNo)},
    term as materialized (
      select term, sum(df) as df, sum(title_df) as title_df, sum(cf) as cf
      from (
        select * from outdated
        union all select term, -df, -title_df, -cf from (${rowsOf(by)}) dropped) counted
      group by term having sum(df) <> 0 or sum(title_df) <> 0 or sum(cf) <> 0),
    ${insertionOf(schema, tenantNo)}`.execute(trx);
};

/** Completes a statement whose CTE `term` has the counts of each term: writes them down as one batch. */
const insertionOf = (schema: string, tenantNo: number): RawBuilder<unknown> => sql`
  batch as (
    insert into ${sql.id(schema, 'lexical_dead_batch')} (tenant_no, terms)
    select ${tenantNo}, count(*) from term having count(*) > 0 returning batch)
  insert into ${sql.id(schema, 'lexical_dead_term')} (tenant_no, batch, term, df, title_df, cf)
  select ${tenantNo}, (select batch from batch), term, df, title_df, cf from term`;

/** Takes away the batches, all of the tenant's by default: CTEs, of which `outdated` has their rows. */
const removalOf = (schema: string, tenantNo: number, batches?: readonly number[]) => {
  const these = batches === undefined ? sql`` : sql`and batch = any(${batches}::bigint[])`;
  return sql`
    outdated_batch as (
      delete from ${sql.id(schema, 'lexical_dead_batch')} where tenant_no = ${tenantNo} ${these}),
    outdated as (
      delete from ${sql.id(schema, 'lexical_dead_term')} where tenant_no = ${tenantNo} ${these}
      returning term, df, title_df, cf)`;
};

/**
 * Adds up batches of one tenant, of about one size like segments, so that a search finds few rows per term; answers how
 * many batches it was. Only a statement that merges may take batches away, and only one runs at a time.
 */
export const mergeDeadTerms = async (trx: Sql, schema: string, limit: number): Promise<number> => {
  const { rows } = await sql<MergeCandidate & { readonly tenantNo: number }>`
    select tenant_no, batch as segment, terms as contents, 0 as dead
    from ${sql.id(schema, 'lexical_dead_batch')} order by tenant_no, batch`.execute(trx);
  for (const [tenantNo, batches] of Map.groupBy(rows, (row) => row.tenantNo)) {
    const chosen = chooseMerge(batches, limit).map(({ segment }) => segment);
    if (chosen.length === 0) continue;
    await sql`with ${removalOf(schema, tenantNo, chosen)},
      term as materialized (
        select term, sum(df) as df, sum(title_df) as title_df, sum(cf) as cf from outdated group by term),
      ${insertionOf(schema, tenantNo)}`.execute(trx);
    return chosen.length;
  }
  return 0;
};
