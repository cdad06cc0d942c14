import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../adapters/embedded-postgres/server.ts';
import { createCatalog } from '../../adapters/postgres/catalog/catalog.ts';
import { createDatabase } from '../../adapters/postgres/database.ts';
import { migrate } from '../../adapters/postgres/migrations/runner.ts';
import { createCatalogProjection } from '../../adapters/postgres/projections/catalog/catalog-projection.ts';
import { projectionMigrations } from '../../adapters/postgres/projections/migration.ts';
import type { Sql } from '../../adapters/postgres/sql.ts';
import {
  createVersion,
  type ProjectionTables,
  schemaOf,
} from '../../adapters/postgres/projections/versions.ts';
import { createSearchIndex } from '../../adapters/postgres/postings/search-index.ts';
import { vectorMigrations } from '../../adapters/postgres/vectors/migration.ts';
import { createVectorIndex } from '../../adapters/postgres/vectors/vector-index.ts';
import { workMigrations } from '../../adapters/postgres/work/migration.ts';
import { createVectorStore } from '../../adapters/postgres/vectors/vector-store.ts';
import { sha256 as hashOf, systemClock } from '../../adapters/system/identity.ts';
import { embedOwed } from '../../application/embedding/embed-owed.ts';
import { createRetrieve } from '../../application/retrieval/retrieve.ts';
import type { Embedder } from '../../application/ports/embedder.ts';
import type { ChunkSet } from '../../application/content/chunk-set.ts';
import type { ProjectedEvent } from '../../application/read-models/projected-event.ts';
import { contentId } from '../../domain/chunking/content-id.ts';
import { uuidFromHash } from '../../domain/shared/uuid-from-hash.ts';
import { type Collection, type JudgedDocument, readCollection } from './collection.ts';
import { mean, measure, percentile } from './measures.ts';

const DEPTH = 1_000;
const BATCH = 500;
const SCOPE = { tenant: 'eval', only: null, access: null };
const DATA_SOURCE = uuidFromHash(digest('data source'));

/**
 * Indexes the collection through the catalog's projection on an embedded Postgres, and ranks every judged query: by
 * words, or with an embedder by words and vectors.
 */
export const evaluate = async (folder: string, embedder?: Embedder) => {
  const collection = await readCollection(folder);
  const dataDir = await mkdtemp(join(tmpdir(), 'knowledger-eval-'));
  const server = await startEmbeddedPostgres({ dataDir });
  const database = createDatabase<ProjectionTables>(server.connection);
  try {
    await migrate(database.pool, [...projectionMigrations, ...workMigrations, ...vectorMigrations]);
    return await run(database.db, collection, embedder);
  } finally {
    await database.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};

const run = async (
  db: Sql,
  { name, documents, queries, relevant }: Collection,
  embedder: Embedder | undefined,
) => {
  const sets = new Map(documents.map((document) => [digestHex(document.id), chunkSetOf(document)]));
  const projection = createCatalogProjection({ readChunkSet: async (_, sha256) => sets.get(sha256) ?? null });
  await createVersion(db, projection, true);
  const events = documents.map(indexedEvent);
  const began = performance.now();
  for (let i = 0; i < events.length; i += BATCH) {
    const batch = events.slice(i, i + BATCH);
    await db.transaction().execute((trx) => projection.apply(trx, schemaOf('catalog', 1), batch));
  }
  const indexed = performance.now();
  const names = new Map(documents.map((document) => [contentIdOf(document), document.id]));
  if (embedder !== undefined) await embedAll(db, embedder);
  const retrieve = createRetrieve({
    searchIndex: createSearchIndex(db),
    vectorIndex: createVectorIndex(db),
    contents: createCatalog(db),
  });
  const times: number[] = [];
  const measures = [];
  for (const { id, text } of queries) {
    const start = performance.now();
    const [vector] = (await embedder?.embed([text], 'query', new AbortController().signal)) ?? [];
    const { results } = await retrieve(SCOPE, {
      query: text,
      filter: {},
      limit: DEPTH,
      ...(vector !== undefined && { vector: { model: embedder?.model ?? '', vector } }),
    });
    times.push(performance.now() - start);
    const found = results.map(({ content }) => names.get(content.id) ?? '');
    measures.push(measure(found, relevant.get(id) ?? new Set()));
  }
  return {
    collection: name,
    ranked_by: embedder === undefined ? 'words' : `words and vectors (${embedder.model})`,
    documents: documents.length,
    queries: queries.length,
    ...mean(measures),
    index_ms: Math.round(indexed - began),
    query_p50_ms: percentile(times, 0.5),
    query_p95_ms: percentile(times, 0.95),
  };
};

const embedAll = async (db: Sql, embedder: Embedder): Promise<void> => {
  const done = new AbortController();
  const stop = async (): Promise<void> => done.abort();
  const log = { info: () => {}, warn: console.warn, error: console.error };
  const deps = { store: createVectorStore(db), embedder, hash: hashOf, clock: systemClock, log };
  await embedOwed({ ...deps, sleep: async () => {}, idle: stop }, done.signal);
};

function digest(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}
const digestHex = (text: string): string => hash('sha256', text);
const sourceIdOf = ({ id }: JudgedDocument): string => uuidFromHash(digest(`document ${id}`));
const contentIdOf = (document: JudgedDocument): string =>
  contentId(sourceIdOf(document), { textHash: digestHex(document.text), occurrence: 0 }, digest);

/** One document is one source with one chunk: ranking is measured, not chunking. */
const chunkSetOf = ({ title, text }: JudgedDocument): ChunkSet => ({
  format: 1,
  source: { title, url: null, fileType: 'txt' },
  keywords: [],
  chunks: [{ text, headingPath: [], pageNumber: 0, tokenCount: 0, textHash: digestHex(text), occurrence: 0 }],
});

const indexedEvent = (document: JudgedDocument, i: number): ProjectedEvent => ({
  id: sourceIdOf(document),
  stream: `source-${sourceIdOf(document)}`,
  streamId: sourceIdOf(document),
  revision: 0n,
  position: String(i).padStart(12, '0'),
  metadata: {
    tenant: SCOPE.tenant,
    actor: { kind: 'system', id: 'eval' },
    correlationId: 'eval',
    causationId: 'eval',
    schemaVersion: 1,
  },
  event: {
    type: 'SourceIndexed',
    dataSourceId: DATA_SOURCE,
    sourceType: 'local_file',
    locator: document.id,
    jobId: 'eval',
    generation: 1,
    at: 1_700_000_000_000,
    url: document.id,
    title: document.title,
    fileType: 'txt',
    mediaType: 'text/plain',
    raw: { sha256: digestHex(document.id), bytes: document.text.length },
    chunkSet: { sha256: digestHex(document.id), bytes: document.text.length, chunks: 1 },
  },
});
