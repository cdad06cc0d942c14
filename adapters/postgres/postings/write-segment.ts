import { sql } from 'kysely';
import type { Sql } from '../sql.ts';
import { bigintArray, intArray } from './binary-array.ts';
import { inTurns } from '../turns.ts';
import {
  createSegmentBuilder,
  type Lengths,
  type SegmentPostings,
} from '../../../domain/ranking/segment-builder.ts';
import { stemmedLanguage } from './dictionaries.ts';
import type { Stems } from './stems.ts';
import { spelledLines } from '../../../domain/ranking/spelling.ts';
import {
  createVocabulary,
  type LexicalDocument,
  type WordedDocument,
} from '../../../domain/ranking/vocabulary.ts';

/** Documents between two turns of the event loop: some ten milliseconds of work. */
const AT_ONCE = 100;

/**
 * Writes one segment with these contents of one tenant and answers their lengths, in the order given.
 *
 * @param documents in the order of their numbers, which are higher than those of any segment of the tenant
 */
export const writeSegment = async (
  trx: Sql,
  schema: string,
  stems: Stems,
  tenant: string,
  documents: readonly LexicalDocument[],
): Promise<readonly Lengths[]> => {
  const [first, last] = [documents[0], documents.at(-1)];
  if (first === undefined || last === undefined) return [];
  const vocabulary = createVocabulary();
  const worded: readonly WordedDocument[] = await inTurns(documents, AT_ONCE, vocabulary.read);
  const words = vocabulary.words();
  const terms = await stems(trx, words);
  const builder = createSegmentBuilder(terms);
  const lengths = await inTurns(worded, AT_ONCE, builder.add);
  const languages = [...new Set(documents.map(({ language = '' }) => stemmedLanguage(language)))];
  const tenantNo = await countContents(trx, schema, tenant, lengths, languages.filter(Boolean));
  const { rows } = await sql<{ segment: number }>`
    insert into ${sql.id(schema, 'lexical_segment')} (tenant_no, first_no, last_no, contents)
    values (${tenantNo}, ${first.no}, ${last.no}, ${documents.length}) returning segment`.execute(trx);
  const segment = rows[0]?.segment ?? 0;
  await insertPostings(trx, schema, tenantNo, segment, builder.postings());
  await sql`insert into ${sql.id(schema, 'lexical_vocabulary')} (tenant_no, segment, words)
    values (${tenantNo}, ${segment}, ${spelledLines(words, terms)})`.execute(trx);
  return lengths;
};

/** Adds to the tenant's statistics; answers the tenant's number. */
const countContents = async (
  trx: Sql,
  schema: string,
  tenant: string,
  lengths: readonly Lengths[],
  languages: readonly string[],
): Promise<number> => {
  const text = lengths.reduce((sum, length) => sum + length.text, 0);
  const title = lengths.reduce((sum, length) => sum + length.title, 0);
  const { rows } = await sql<{ no: number }>`
    insert into ${sql.id(schema, 'lexical_tenant')} as t (tenant, contents, text_length, title_length, languages)
    values (${tenant}, ${lengths.length}, ${text}, ${title}, ${languages}::text[])
    on conflict (tenant) do update set
      contents = t.contents + excluded.contents,
      text_length = t.text_length + excluded.text_length,
      title_length = t.title_length + excluded.title_length,
      languages = array(select distinct unnest(t.languages || excluded.languages))
    returning no`.execute(trx);
  return rows[0]?.no ?? 0;
};

/** The two long arrays go as one each, from which the server cuts a part per term. */
const insertPostings = async (
  trx: Sql,
  schema: string,
  tenantNo: number,
  segment: number,
  { terms, df, titleDf, cf, ends, nos, statistics }: SegmentPostings,
): Promise<void> => {
  await sql`
    insert into ${sql.id(schema, 'lexical_posting')} (tenant_no, segment, term, df, title_df, cf, nos, statistics)
    select ${tenantNo}, ${segment}, term, df, title_df, cf,
      (${bigintArray(nos)}::bigint[])[stop - df + 1 : stop], (${intArray(statistics)}::int[])[stop - df + 1 : stop]
    from unnest(${terms}::text[], ${intArray(df)}::int[], ${intArray(titleDf)}::int[], ${intArray(cf)}::int[],
      ${intArray(ends)}::int[]) as p(term, df, title_df, cf, stop)`.execute(trx);
};
