import { hash } from 'node:crypto';
import { mergeSegments } from '../../postings/merge-segments.ts';
import { createStems } from '../../postings/stems.ts';
import type { Projection } from '../projection.ts';
import type { Sql } from '../../database-schema.ts';
import { foldBatch } from './batch-fold.ts';
import { type ReadChunkSet, readChunkSets } from './chunk-sets.ts';
import { loadBatch } from './load-batch.ts';
import { CATALOG_TABLES, createCatalogTables } from './tables.ts';
import { writeBatch } from './write-batch.ts';

export interface CatalogProjection extends Projection {
  /** Upkeep of the lexical index in `schema`: one step, in a transaction of its own; see `mergeSegments`. */
  readonly merge: (trx: Sql, schema: string, limit?: number) => Promise<number>;
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
    shape: 14,
    // Not by type: what a newer version has written would be passed over in silence.
    filter: { categories: ['source', 'dataSource'] },
    // Each may bring a text.
    batchSize: 500,
    tables: CATALOG_TABLES,
    create: createCatalogTables,
    concerns: (type) => CONCERNS.has(type),
    apply: async (trx, schema, projected) => {
      const events = projected.filter(({ event }) => CONCERNS.has(event.type));
      if (events.length === 0) return;
      const before = await loadBatch(trx, schema, events);
      const chunkSets = await readChunkSets(before, events, readChunkSet);
      await writeBatch(trx, schema, stems, before, await foldBatch(before, events, chunkSets, digest));
    },
    merge: mergeSegments,
  };
};

const digest = (text: string): Uint8Array => hash('sha256', text, 'buffer');

const CONCERNS: ReadonlySet<string> = new Set([
  'SourceIndexed',
  'SourceSkipped',
  'SourceFailed',
  'SourceRemoved',
  'SourceMetadataReplaced',
  'SourceMetadataDeleted',
  'DataSourceDeletionRequested',
  'DataSourceDeleted',
]);
