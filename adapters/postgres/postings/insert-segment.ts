import { sql } from 'kysely';
import { packDocuments, type SegmentDocuments } from '../../../domain/ranking/segment-documents.ts';
import type { Block } from '../../../domain/ranking/term-blocks.ts';
import type { Sql } from '../database-schema.ts';
import { withCommit } from '../transaction.ts';
import { intArray } from '../bulk-values.ts';

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
  for (let i = 0; i < blocks.length; i += AT_ONCE)
    await insertBlocks(trx, schema, { tenantNo, segment, firstBlock: i }, blocks.slice(i, i + AT_ONCE));
  return segment;
};

/** Blocks of a statement: some megabytes. */
const AT_ONCE = 512;

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
