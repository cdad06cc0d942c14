import { hash } from 'node:crypto';
import type { ChunkSet } from '../../domain/chunking/chunk-set.ts';
import type { ProjectedEvent } from '../../application/event-sourcing/aggregates.ts';
import type { PostgresDatabase } from '../../adapters/postgres/connection.ts';
import { createCatalogProjection } from '../../adapters/postgres/projections/catalog/catalog-projection.ts';

/** Documents in the catalog, written by its own projection as those of a crawl are. */
export interface Collection {
  /**
   * Adds documents until there are so many contents, and leaves the index as it is when nothing happens. Answers
   * milliseconds: of writing and merging, not of looking at the tables anew.
   */
  readonly growTo: (contents: number) => Promise<number>;
}

/** Events at once, as a rebuild takes them. */
const BATCH = 500;

/** @param schema of the live version of the catalog, which has no content yet */
export const fillCollection = (
  { db, pool, transact }: Pick<PostgresDatabase, 'db' | 'pool' | 'transact'>,
  schema: string,
  tenant: string,
  documents: Iterator<ChunkSet>,
): Collection => {
  const files = new Map<string, ChunkSet>();
  const projection = createCatalogProjection({ readChunkSet: async (_, of) => files.get(of) ?? null });
  const write = db;
  const made = { sources: 0, contents: 0 };
  const nextSource = (): ProjectedEvent | null => {
    const { value: set } = documents.next() as { readonly value: ChunkSet | undefined };
    if (set === undefined) return null;
    made.sources += 1;
    made.contents += set.chunks.length;
    const sha256 = hash('sha256', `set ${made.sources}`);
    files.set(sha256, set);
    return indexed(made.sources, set, sha256, tenant);
  };
  return {
    growTo: async (most) => {
      let ms = 0;
      while (made.contents < most) {
        const events: ProjectedEvent[] = [];
        while (made.contents < most && events.length < BATCH) {
          const event = nextSource();
          if (event !== null) events.push(event);
        }
        const begun = performance.now();
        // As the projector does.
        await transact((trx) => projection.apply(trx, schema, events));
        ms += performance.now() - begun;
        files.clear();
      }
      const begun = performance.now();
      while ((await write.transaction().execute((trx) => projection.merge(trx, schema))) > 0);
      ms += performance.now() - begun;
      await pool.query('VACUUM ANALYZE');
      return ms;
    },
  };
};

const indexed = (nth: number, set: ChunkSet, sha256: string, tenant: string): ProjectedEvent => ({
  id: idOf(`event of ${tenant}`, nth),
  stream: `source-${idOf(`source of ${tenant}`, nth)}`,
  streamId: idOf(`source of ${tenant}`, nth),
  revision: 0n,
  position: String(nth).padStart(12, '0'),
  recordedAt: nth,
  event: {
    type: 'SourceIndexed',
    dataSourceId: idOf(`data source of ${tenant}`, 1),
    sourceType: 'crawl',
    locator: `https://example.com/${nth}`,
    jobId: idOf('job', 1),
    generation: 1,
    at: 1_700_000_000_000 + nth,
    url: set.source.url ?? `https://example.com/${nth}`,
    title: set.source.title,
    ...(set.source.language !== undefined && { language: set.source.language }),
    fileType: 'html',
    mediaType: 'text/html',
    raw: { sha256: hash('sha256', `raw ${nth}`), bytes: 1_000 },
    chunkSet: { sha256, bytes: 1_000, chunks: set.chunks.length },
  },
  metadata: {
    tenant,
    actor: { kind: 'system', id: 'bench' },
    correlationId: idOf(`event of ${tenant}`, nth),
    causationId: idOf(`event of ${tenant}`, nth),
    schemaVersion: 1,
  },
});

/** A UUID of version 8 (RFC 9562) from a name. */
const idOf = (kind: string, nth: number): string => {
  const hex = hash('sha256', `${kind} ${nth}`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
