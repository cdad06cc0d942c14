import { type RawBuilder, sql } from 'kysely';
import { identified } from '../../../../adapters/postgres/postings/count-cache.ts';
import type { Sql } from '../../../../adapters/postgres/database-schema.ts';
import { unpackPostings } from '../../../../domain/ranking/packed-postings.ts';
import { unpackDocuments } from '../../../../domain/ranking/segment-cache.ts';
import { blockWith, entriesOf } from '../../../../domain/ranking/term-blocks.ts';

interface StoredSegment {
  readonly tenantNo: number;
  readonly segment: number;
  readonly firstNo: number;
  readonly lastNo: number;
  readonly directory: string;
  readonly documents: Buffer;
  readonly blocks: readonly string[];
}

/** All postings of an index as rows, one for each term of a segment, for statements that check them. */
export const storedPostings = async (db: Sql, schema: string): Promise<RawBuilder<unknown>> => {
  const { rows } = await sql<StoredSegment>`
    select tenant_no, segment, first_no, last_no, directory, documents, array(
      select encode(bytes, 'base64') from ${sql.id(schema, 'lexical_block')} b
      where b.tenant_no = s.tenant_no and b.segment = s.segment order by block) as blocks
    from ${sql.id(schema, 'lexical_segment')} s`.execute(db);
  const postings = JSON.stringify(rows.flatMap(postingsIn));
  return sql`(select * from json_to_recordset(${postings}::json) as r(tenant_no int, segment bigint, term text,
    df bigint, title_df bigint, cf bigint, nos bigint[], statistics int[], ids text[], is_out_of_order boolean))`;
};

const postingsIn = (stored: StoredSegment) => {
  const { tenantNo, segment, firstNo, lastNo } = stored;
  const documents = unpackDocuments(stored.documents);
  const directory = stored.directory.split('\n');
  const blocks = stored.blocks.map((block) => Buffer.from(block, 'base64'));
  const entries = blocks.flatMap((block, i) => [...entriesOf(block)].map((entry) => ({ entry, block: i })));
  return entries.map(({ entry: { term, df, titleDf, cf, bytes, from, to }, block }, i) => {
    const { offsets, statistics } = unpackPostings(bytes, from, to, df, documents);
    const nos = Array.from(offsets, (offset) => firstNo + offset);
    const scores = nos.map((_, place) => -place);
    const found = identified({ nos, scores }, [{ segment, firstNo, lastNo }], [{ documents, directory }]);
    return {
      tenant_no: tenantNo,
      segment,
      term,
      df,
      title_df: titleDf,
      cf,
      nos,
      statistics: [...statistics],
      ids: found.map(({ contentId }) => contentId),
      is_out_of_order: (entries[i - 1]?.entry.term ?? '') >= term || blockWith(directory, term) !== block,
    };
  });
};
