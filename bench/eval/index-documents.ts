import { hash } from 'node:crypto';
import { createCatalogProjection } from '../../adapters/postgres/projections/catalog/catalog-projection.ts';
import {
  createVersion,
  projectionMigrations,
  schemaOf,
} from '../../adapters/postgres/projections/versions.ts';
import type { Sql } from '../../adapters/postgres/database-schema.ts';
import { vectorMigrations } from '../../adapters/postgres/vectors/migrations.ts';
import { createVectorStore } from '../../adapters/postgres/vectors/vector-store.ts';
import { workMigrations } from '../../adapters/postgres/work/migrations.ts';
import { sha256 as hashOf, systemClock } from '../../adapters/system/identity.ts';
import type { ChunkSet } from '../../domain/chunking/chunk-set.ts';
import { embedPending } from '../../application/search/embedding/embed-pending.ts';
import type { Embedder } from '../../application/ports/embedder.ts';
import type { ProjectedEvent } from '../../application/event-sourcing/aggregates.ts';
import { contentId } from '../../domain/chunking/content-id.ts';
import { uuidFromHash } from '../../domain/shared/uuid-from-hash.ts';
import type { JudgedDocument } from './collection.ts';

/** Who may see all documents of a collection. */
export const SCOPE = { tenant: 'eval', only: null, access: null };
/** Of a database that collections are indexed in. */
export const evalMigrations = [...projectionMigrations, ...workMigrations, ...vectorMigrations];

const BATCH = 500;
const DATA_SOURCE = uuidFromHash(digest('data source'));

/** Indexes documents through the catalog's projection, one content each. Answers their ids by the ids of the contents. */
export const indexDocuments = async (
  db: Sql,
  documents: readonly JudgedDocument[],
): Promise<ReadonlyMap<string, string>> => {
  const sets = new Map(documents.map((document) => [digestHex(document.id), chunkSetOf(document)]));
  const projection = createCatalogProjection({ readChunkSet: async (_, sha256) => sets.get(sha256) ?? null });
  await createVersion(db, projection, true);
  const events = documents.map(indexedEvent);
  for (let i = 0; i < events.length; i += BATCH) {
    const batch = events.slice(i, i + BATCH);
    await db.transaction().execute((trx) => projection.apply(trx, schemaOf('catalog', 1), batch));
  }
  return new Map(documents.map((document) => [contentIdOf(document), document.id]));
};

/** Embeds pending work. */
export const embedAll = async (db: Sql, embedder: Embedder): Promise<void> => {
  const done = new AbortController();
  const stop = async (): Promise<void> => done.abort();
  const log = { info: () => {}, warn: console.warn, error: console.error };
  const deps = { store: createVectorStore(db), embedder, hash: hashOf, clock: systemClock, log };
  await embedPending({ ...deps, sleep: async () => {}, idle: stop }, done.signal);
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
  recordedAt: i,
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
