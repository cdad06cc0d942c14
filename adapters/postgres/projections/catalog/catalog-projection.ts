import { hash } from 'node:crypto';
import { mergeSegments } from '../../search/merge-segments.ts';
import { createStems } from '../../search/stems.ts';
import type { Projection, Sql } from '../projection.ts';
import { foldBatch } from './batch-fold.ts';
import { type ReadChunkSet, readChunkSets } from './chunk-sets.ts';
import { loadBatch } from './load-batch.ts';
import { CATALOG_TABLES, createCatalogTables } from './tables.ts';
import { writeBatch } from './write-batch.ts';

export interface CatalogProjection extends Projection {
  /**
   * Upkeep of the lexical index of the version in `schema`, to be called again while it answers more than 0; see
   * `mergeSegments`.
   */
  readonly merge: (db: Sql, schema: string, limit?: number) => Promise<number>;
}

/**
 * Documents, their contents and the index over them, from the events of sources and data sources.
 *
 * A batch is folded in memory and written in bulk. Contents come from chunk sets in the file store, never from events.
 * A chunk set that is not there was superseded and cleaned up: the source has no contents and says so, until a later
 * event brings the newer one. A failure to read is thrown, and the batch tried again.
 */
export const createCatalogProjection = ({
  readChunkSet,
}: {
  readonly readChunkSet: ReadChunkSet;
}): CatalogProjection => {
  const stems = createStems();
  return {
    view: 'catalog',
    shape: 2,
    filter: { categories: ['source', 'dataSource'], types: TYPES },
    tables: CATALOG_TABLES,
    create: createCatalogTables,
    apply: async (trx, schema, events) => {
      const before = await loadBatch(trx, schema, events);
      const chunkSets = await readChunkSets(before, events, readChunkSet);
      await writeBatch(trx, schema, stems, before, await foldBatch(before, events, chunkSets, digest));
    },
    merge: mergeSegments,
  };
};

const digest = (text: string): Uint8Array => hash('sha256', text, 'buffer');

const TYPES = [
  'SourceIndexed',
  'SourceSkipped',
  'SourceFailed',
  'SourceRemoved',
  'SourceMetadataReplaced',
  'SourceMetadataDeleted',
  'DataSourceDeletionRequested',
  'DataSourceDeleted',
];
