import { type MergeCandidate, chooseMerge } from '../../../domain/ranking/merge-segments.ts';
import { createSegmentBuilder } from '../../../domain/ranking/segment-builder.ts';
import { withStopTerms } from '../../../domain/ranking/stop-phrases.ts';
import { type LexicalDocument, createVocabulary } from '../../../domain/ranking/vocabulary.ts';
import { intArray } from '../bulk-values.ts';
import type { Sql } from '../database-schema.ts';
import { mapYielding } from '../event-loop.ts';
import type { Stems } from './stems.ts';
import { type RawBuilder, sql } from 'kysely';

/** Contents whose texts are in memory at the same time. */
const PAGE = 1_000;
/** Documents between two turns of the event loop. */
const AT_ONCE = 100;

/**
 * Takes contents out of the index while their rows in `source`, `content` and `content_text` still exist: no search
 * shows them from now on, and no statistics count them. Their postings stay until a merge takes them out; how often
 * these hold each term is worked out from the texts, as when they came in, and written down to be subtracted.
 *
 * @param which condition on `content` as `c`; must select only contents that are in the index and not yet dead
 */
export const forgetContents = async (
  trx: Sql,
  schema: string,
  stems: Stems,
  which: RawBuilder<boolean>,
): Promise<void> => {
  const gone = await markDead(trx, schema, which);
  for (const [tenantNo, ofTenant] of Map.groupBy(gone, (row) => row.tenantNo)) {
    const counts = new Map<string, TermCounts>();
    for (let i = 0; i < ofTenant.length; i += PAGE) {
      const numbers = ofTenant.slice(i, i + PAGE).map(({ no }) => no);
      await countTerms(trx, stems, await readDocuments(trx, schema, numbers), counts);
    }
    await insertDeadTerms(trx, schema, tenantNo, counts);
  }
};

const markDead = async (
  trx: Sql,
  schema: string,
  which: RawBuilder<boolean>,
): Promise<readonly { readonly tenantNo: number; readonly no: number }[]> => {
  const [tenant, dead] = [sql.id(schema, 'lexical_tenant'), sql.id(schema, 'lexical_dead')];
  const { rows } = await sql<{ tenantNo: number; no: number }>`
    with gone as materialized (
      select t.no as tenant_no, c.no, c.text_length, c.title_length
      from ${sql.id(schema, 'content')} c join ${tenant} t on t.tenant = c.tenant where ${which}),
    marked as (insert into ${dead} (tenant_no, no) select tenant_no, no from gone),
    counted as (
      update ${tenant} t set
        contents = t.contents - g.contents,
        text_length = t.text_length - g.text_length,
        title_length = t.title_length - g.title_length
      from (select tenant_no, count(*) as contents, sum(text_length) as text_length, sum(title_length) as title_length
        from gone group by tenant_no) g
      where t.no = g.tenant_no)
    select tenant_no, no from gone order by no`.execute(trx);
  return rows;
};

const readDocuments = async (
  trx: Sql,
  schema: string,
  numbers: readonly number[],
): Promise<readonly LexicalDocument[]> => {
  const table = (name: string) => sql.id(schema, name);
  const { rows } = await sql<LexicalDocument>`
    select c.no, s.title, x.heading_path as headings, x.text, coalesce(s.indexed ->> 'language', '') as language
    from ${table('content')} c join ${table('source')} s on s.no = c.source_no
      join ${table('content_text')} x on x.content_no = c.no
    where c.no = any(${numbers}::bigint[])`.execute(trx);
  return rows;
};

/** Adds up what the postings of these documents hold. */
const countTerms = async (
  trx: Sql,
  stems: Stems,
  documents: readonly LexicalDocument[],
  counts: Map<string, TermCounts>,
): Promise<void> => {
  const vocabulary = createVocabulary();
  const worded = await mapYielding(documents, AT_ONCE, vocabulary.read);
  const words = vocabulary.words();
  const builder = createSegmentBuilder(withStopTerms(words, await stems(trx, words)));
  await mapYielding(worded, AT_ONCE, builder.add);
  const { terms, df, titleDf, cf } = builder.postings();
  for (const [i, term] of terms.entries()) {
    const known = counts.get(term) ?? { df: 0, titleDf: 0, cf: 0 };
    known.df += df[i] ?? 0;
    known.titleDf += titleDf[i] ?? 0;
    known.cf += cf[i] ?? 0;
    counts.set(term, known);
  }
};

/** In how many dead contents a term occurs, in how many of their titles, and how often in all. */
export interface TermCounts {
  df: number;
  titleDf: number;
  cf: number;
}

const insertDeadTerms = async (
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
