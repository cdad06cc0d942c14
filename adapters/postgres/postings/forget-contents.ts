import { createSegmentBuilder } from '../../../domain/ranking/segment-builder.ts';
import { withStopTerms } from '../../../domain/ranking/stop-phrases.ts';
import type { Counts } from '../../../domain/ranking/term-blocks.ts';
import { type LexicalDocument, createVocabulary } from '../../../domain/ranking/vocabulary.ts';
import type { Sql } from '../database-schema.ts';
import { mapYielding } from '../event-loop.ts';
import { addCounts, insertDeadTerms } from './dead-terms.ts';
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
    const counts = new Map<string, Counts>();
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
  counts: Map<string, Counts>,
): Promise<void> => {
  const vocabulary = createVocabulary();
  const worded = await mapYielding(documents, AT_ONCE, vocabulary.read);
  const words = vocabulary.words();
  const builder = createSegmentBuilder(withStopTerms(words, await stems(trx, words)));
  await mapYielding(worded, AT_ONCE, builder.add);
  const { terms, df, titleDf, cf } = builder.postings();
  for (const [i, term] of terms.entries())
    addCounts(counts, term, { df: df[i] ?? 0, titleDf: titleDf[i] ?? 0, cf: cf[i] ?? 0 });
};
