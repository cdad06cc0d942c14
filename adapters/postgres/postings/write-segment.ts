import { createByteWriter } from '../../../domain/ranking/byte-writer.ts';
import { createPostingPacker } from '../../../domain/ranking/packed-postings.ts';
import { packStatistics } from '../../../domain/ranking/postings.ts';
import {
  type Lengths,
  type SegmentPostings,
  createSegmentBuilder,
} from '../../../domain/ranking/segment-builder.ts';
import { type SegmentDocuments, packDocuments } from '../../../domain/ranking/segment-cache.ts';
import { spelledLines } from '../../../domain/ranking/spelling.ts';
import { withStopTerms } from '../../../domain/ranking/stop-phrases.ts';
import { type Block, createBlockPacker } from '../../../domain/ranking/term-blocks.ts';
import {
  type LexicalDocument,
  type WordedDocument,
  createVocabulary,
} from '../../../domain/ranking/vocabulary.ts';
import { intArray } from '../bulk-values.ts';
import type { Sql } from '../database-schema.ts';
import { mapYielding } from '../event-loop.ts';
import { withCommit } from '../transaction.ts';
import { packIds } from './count-cache.ts';
import type { Stems } from './stems.ts';
import { stemmedLanguage } from './vocabularies.ts';
import { sql } from 'kysely';

/** Documents and terms between two turns of the event loop: some ten milliseconds of work. */
const AT_ONCE = 100;
const TERMS_AT_ONCE = 10_000;

/** A content with its id. */
export type IndexedContent = LexicalDocument & { readonly id: string };

/** A segment in memory. */
export interface ReadSegment {
  /** Of its contents, in the order given. */
  readonly lengths: readonly Lengths[];
  /** Writes it, as one of this tenant. */
  readonly write: (schema: string, tenant: string) => Promise<void>;
}

/**
 * Makes one segment of these contents of one tenant.
 *
 * @param documents in the order of their numbers, which are higher than those of any segment of the tenant
 */
export const readSegment = async (
  trx: Sql,
  stems: Stems,
  documents: readonly IndexedContent[],
): Promise<ReadSegment> => {
  const vocabulary = createVocabulary();
  const worded: readonly WordedDocument[] = await mapYielding(documents, AT_ONCE, vocabulary.read);
  const words = vocabulary.words();
  const terms = await stems(trx, words);
  const builder = createSegmentBuilder(withStopTerms(words, terms));
  const lengths = await mapYielding(worded, AT_ONCE, builder.add);
  const languages = [...new Set(documents.map(({ language = '' }) => stemmedLanguage(language)))];
  const write: ReadSegment['write'] = async (schema, tenant) => {
    const [first, last] = [documents[0], documents.at(-1)];
    if (first === undefined || last === undefined) return;
    const blocks = await blocksOf(builder.postings());
    const tenantNo = await countContents(trx, schema, tenant, lengths, languages.filter(Boolean));
    const segment = await insertSegment(trx, schema, tenantNo, {
      firstNo: first.no,
      lastNo: last.no,
      documents: {
        offsets: Uint32Array.from(documents, ({ no }) => no - first.no),
        lengths: Int32Array.from(lengths, ({ text, title }) => packStatistics(0, text, 0, title)),
        ids: packIds(documents.map(({ id }) => id)),
      },
      blocks,
    });
    await withCommit(trx)(sql`insert into ${sql.id(schema, 'lexical_vocabulary')} (tenant_no, segment, words)
      values (${tenantNo}, ${segment}, ${spelledLines(words, terms)})`);
  };
  return { lengths, write };
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

/** The terms in order, in blocks. */
const blocksOf = async ({
  terms,
  df,
  titleDf,
  cf,
  ends,
  places,
  statistics,
}: SegmentPostings): Promise<readonly Block[]> => {
  const blocks: Block[] = [];
  const to = createBlockPacker((block) => blocks.push(block));
  const writer = createByteWriter();
  const packer = createPostingPacker(writer);
  const numbers = new Map(terms.map((term, i) => [term, i]));
  // By UTF-16 units, as without a comparison of one's own, which takes several times as long.
  const order = terms.toSorted().map((term) => numbers.get(term) as number);
  await mapYielding(order, TERMS_AT_ONCE, (i) => {
    packer.begin();
    const [end, count] = [ends[i] as number, df[i] as number];
    if (count === 0) return;
    for (let at = end - count; at < end; at++) packer.add(places[at] as number, statistics[at] as number);
    const bytes = writer.take();
    const counts = { df: count, titleDf: titleDf[i] as number, cf: cf[i] as number };
    to.add({ term: terms[i] as string, ...counts, bytes, from: 0, to: bytes.length });
  });
  to.finish();
  return blocks;
};

export interface NewSegment {
  readonly firstNo: number;
  readonly lastNo: number;
  readonly documents: SegmentDocuments;
  readonly blocks: readonly Block[];
}

/** Writes the rows of a segment, but for its vocabulary; answers its number. */
export const insertSegment = async (
  trx: Sql,
  schema: string,
  tenantNo: number,
  { firstNo, lastNo, documents, blocks }: NewSegment,
): Promise<number> => {
  const { rows } = await sql<{ segment: number }>`
    insert into ${sql.id(schema, 'lexical_segment')} (tenant_no, first_no, last_no, contents, directory, documents)
    values (${tenantNo}, ${firstNo}, ${lastNo}, ${documents.offsets.length},
      ${blocks.map(({ first }) => first).join('\n')}, ${Buffer.from(packDocuments(documents))})
    returning segment`.execute(trx);
  const segment = rows[0]?.segment ?? 0;
  for (let i = 0; i < blocks.length; i += ROWS_AT_ONCE)
    await insertBlocks(trx, schema, { tenantNo, segment, firstBlock: i }, blocks.slice(i, i + ROWS_AT_ONCE));
  return segment;
};

/** Blocks of a statement: some megabytes. */
const ROWS_AT_ONCE = 512;

/** As one value, from which the server cuts a part per block. */
const insertBlocks = async (
  trx: Sql,
  schema: string,
  {
    tenantNo,
    segment,
    firstBlock,
  }: { readonly tenantNo: number; readonly segment: number; readonly firstBlock: number },
  blocks: readonly Block[],
): Promise<void> => {
  const lengths = Int32Array.from(blocks, ({ bytes }) => bytes.length);
  let start = 1;
  const starts = lengths.map((length) => (start += length) - length);
  await withCommit(trx)(sql`
    insert into ${sql.id(schema, 'lexical_block')} (tenant_no, segment, block, bytes)
    select ${tenantNo}, ${segment}, ${firstBlock} + nth - 1, substring(${Buffer.concat(blocks.map(({ bytes }) => bytes))}::bytea from start for length)
    from unnest(${intArray(starts)}::int[], ${intArray(lengths)}::int[]) with ordinality as b(start, length, nth)`);
};
