import type { Stems } from '../../postings/stems.ts';
import type { Sql } from '../../database-schema.ts';
import type { FoldedBatch, StoredBatch } from './batch.ts';
import { changedSources } from './changed-sources.ts';
import { hideDataSources, purgeDataSources } from './data-sources.ts';
import { insertContents } from './insert-contents.ts';
import { deleteContents, updateContents } from './write-contents.ts';
import { writeCounts } from './write-counts.ts';
import { writeMetadata } from './write-metadata.ts';
import { writeSources } from './write-sources.ts';

/**
 * Writes what the fold changed, in bulk. The order matters: what leaves the lexical index does so while its row and
 * the old marks of hidden data sources are there, and what enters it knows the new ones.
 */
export const writeBatch = async (
  trx: Sql,
  schema: string,
  stems: Stems,
  before: StoredBatch,
  after: FoldedBatch,
): Promise<void> => {
  const changed = changedSources(before, after);
  await deleteContents(trx, schema, stems, changed, before.hidden);
  await hideDataSources(trx, schema, stems, before.hidden, after.hidden);
  await purgeDataSources(trx, schema, before.hidden, after.hidden);
  const numbers = await writeSources(trx, schema, changed);
  await updateContents(trx, schema, changed);
  await insertContents(trx, schema, stems, changed, numbers, after.hidden);
  await writeMetadata(trx, schema, changed, numbers);
  await writeCounts(trx, schema, changed);
};
