import { createHash } from 'node:crypto';
import type { ChunkSet } from '../../../../domain/chunking/chunk-set.ts';
import type { DomainEvent, ProjectedEvent } from '../../../../application/event-sourcing/aggregates.ts';
import type { Catalog, PurgeCatalog, CatalogScope } from '../../../../application/ports/catalog.ts';
import type { WordIndex, VectorIndex } from '../../../../application/ports/search-engine.ts';
import { createCatalog, createPurgeCatalog } from '../../../../adapters/postgres/catalog/catalog.ts';
import { createRetrieve, type Retrieve } from '../../../../application/search/retrieve.ts';
import { createVectorIndex } from '../../../../adapters/postgres/vectors/vector-index.ts';
import {
  type CatalogProjection,
  createCatalogProjection,
} from '../../../../adapters/postgres/projections/catalog/catalog-projection.ts';
import type { PostgresDatabase } from '../../../../adapters/postgres/connection.ts';
import type { Sql } from '../../../../adapters/postgres/database-schema.ts';
import type { Migration } from '../../../../adapters/postgres/migrate.ts';
import {
  createVersion,
  projectionMigrations,
  schemaOf,
} from '../../../../adapters/postgres/projections/versions.ts';
import { vectorMigrations } from '../../../../adapters/postgres/vectors/migrations.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migrations.ts';
import { createSearchIndex } from '../../../../adapters/postgres/postings/search-index.ts';
import { freshDatabase } from '../../../support/postgres.ts';

export interface CatalogFixture {
  readonly db: Sql;
  readonly schema: string;
  readonly projection: CatalogProjection;
  readonly catalog: SearchedCatalog;
  readonly searchIndex: WordIndex;
  readonly purge: PurgeCatalog;
  /** Chunk sets by hash: take one out to make it missing. */
  readonly files: Map<string, ChunkSet>;
  /** Applies a batch in one transaction, as the projector does. */
  readonly apply: (...events: readonly ProjectedEvent[]) => Promise<void>;
  /** One step of merging, in a transaction of its own. */
  readonly merge: (schema: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** The catalog, and searches in it. */
export interface SearchedCatalog extends Catalog {
  readonly search: Retrieve;
}

export const searchedCatalog = (db: Sql, words: WordIndex, vectors: VectorIndex): SearchedCatalog => {
  const catalog = createCatalog(db);
  return { ...catalog, search: createRetrieve({ words, vectors, contents: catalog }) };
};

/** What a catalog and its vectors are kept in. */
export const catalogMigrations: readonly Migration[] = [
  ...projectionMigrations,
  ...workMigrations,
  ...vectorMigrations,
];

/** @param given a database with these migrations; default a new one on the server of the tests */
export const openCatalog = async (given?: PostgresDatabase, lexical = true): Promise<CatalogFixture> => {
  const database = given ?? (await freshDatabase(catalogMigrations));
  const files = new Map<string, ChunkSet>();
  const projection = createCatalogProjection({
    readChunkSet: async (_, sha256) => files.get(sha256) ?? null,
    lexical,
  });
  await createVersion(database.db, projection, true);
  const db = database.db;
  const schema = schemaOf('catalog', 1);
  const searchIndex = createSearchIndex(db);
  let applied = 0;
  return {
    db,
    schema,
    projection,
    files,
    searchIndex,
    catalog: searchedCatalog(db, searchIndex, createVectorIndex(db)),
    purge: createPurgeCatalog(db),
    apply: (...events) =>
      db.transaction().execute(async (trx) => {
        await projection.apply(trx, schema, events);
        await trx
          .updateTable('projectionVersion')
          .set({ position: String((applied += 1)) })
          .where('view', '=', 'catalog')
          .execute();
      }),
    merge: (of) => db.transaction().execute((trx) => projection.merge(trx, of)),
    close: database.close,
  };
};

/** A UUID of version 8 from a name: tests read better with names. */
export const idOf = (name: string): string => {
  const hex = sha256(name);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const scope = (tenant = 't1', only: readonly string[] | null = null): CatalogScope => ({
  tenant,
  only: only === null ? null : only.map(idOf),
  access: null,
});

interface PageText {
  readonly title?: string;
  readonly url?: string;
  readonly fileType?: string;
  readonly keywords?: readonly string[];
  /** Texts of the chunks; a pair is headings and text. */
  readonly chunks: readonly (string | readonly [readonly string[], string])[];
  /** Each chunk stands on a page of its own. */
  readonly pages?: boolean;
  /** Each chunk has three lines, from this one on. */
  readonly firstLine?: number;
  readonly sourceType?: 'crawl' | 'repo';
  /** Unix seconds. */
  readonly at?: number;
}

/** Writes histories of sources by name, with gapless revisions per stream and ascending positions. */
export const createHistory = (files: Map<string, ChunkSet>) => {
  const revisions = new Map<string, bigint>();
  let position = 0;
  const next = (category: string, name: string, tenant: string, event: DomainEvent): ProjectedEvent => {
    const stream = `${category}-${idOf(name)}`;
    const revision = (revisions.get(stream) ?? -1n) + 1n;
    revisions.set(stream, revision);
    position += 1;
    return {
      id: idOf(`${stream} ${revision}`),
      stream,
      streamId: idOf(name),
      revision,
      position: String(position).padStart(12, '0'),
      recordedAt: position,
      event,
      metadata: {
        tenant,
        actor: { kind: 'system', id: 'test' },
        correlationId: 'c',
        causationId: 'c',
        schemaVersion: 1,
      },
    };
  };
  const of = (tenant: string, dataSource: string) => {
    const visit = (name: string, at: number) =>
      ({
        dataSourceId: idOf(dataSource),
        sourceType: 'crawl',
        locator: `https://example.com/${name}`,
        jobId: 'job',
        generation: 1,
        at: at * 1000,
      }) as const;
    return {
      indexed: (name: string, page: PageText): ProjectedEvent => {
        const set = chunkSet(name, page);
        const hash = sha256(JSON.stringify(set));
        files.set(hash, set);
        return next('source', name, tenant, {
          ...visit(name, page.at ?? 1000),
          ...(page.sourceType !== undefined && { sourceType: page.sourceType }),
          type: 'SourceIndexed',
          url: page.url ?? `https://example.com/${name}`,
          title: page.title ?? name,
          fileType: page.fileType ?? 'html',
          mediaType: 'text/html',
          raw: { sha256: sha256(name), bytes: 100 },
          chunkSet: { sha256: hash, bytes: 200, chunks: set.chunks.length },
        });
      },
      skipped: (name: string, at = 1000) =>
        next('source', name, tenant, { ...visit(name, at), type: 'SourceSkipped', reason: 'empty' }),
      failed: (name: string, at = 1000) =>
        next('source', name, tenant, {
          ...visit(name, at),
          type: 'SourceFailed',
          code: 'timeout',
          message: 'no answer',
        }),
      removed: (name: string, at = 1000) =>
        next('source', name, tenant, {
          type: 'SourceRemoved',
          dataSourceId: idOf(dataSource),
          reason: 'not_seen',
          jobId: 'job',
          generation: 2,
          at: at * 1000,
        }),
      metadata: (name: string, records: readonly (readonly [string, string, Type?])[]) =>
        next('source', name, tenant, {
          type: 'SourceMetadataReplaced',
          records: records.map(([key, val, type = 'string']) => ({ key, val, type })),
          at: 1,
        }),
      noMetadata: (name: string) => next('source', name, tenant, { type: 'SourceMetadataDeleted', at: 1 }),
      deletionRequested: () =>
        next('dataSource', dataSource, tenant, {
          type: 'DataSourceDeletionRequested',
          interruptedJobId: null,
          at: 1,
        }),
      deleted: () =>
        next('dataSource', dataSource, tenant, {
          type: 'DataSourceDeleted',
          contents: 0,
          sources: 0,
          bytes: 0,
          at: 1,
        }),
    };
  };
  return { of };
};

type Type = 'string' | 'integer' | 'float' | 'date' | 'datetime';

const chunkSet = (
  name: string,
  { chunks, keywords = [], title = name, url, fileType = 'html', pages = false, firstLine }: PageText,
): ChunkSet => {
  const seen = new Map<string, number>();
  return {
    format: 1,
    source: { title, url: url ?? `https://example.com/${name}`, fileType },
    keywords,
    chunks: chunks.map((chunk, i) => {
      const [headingPath, text] = typeof chunk === 'string' ? [[], chunk] : chunk;
      const occurrence = seen.get(text) ?? 0;
      seen.set(text, occurrence + 1);
      const pageNumber = pages ? i + 1 : 0;
      const lines = firstLine !== undefined && { first: firstLine + 3 * i, last: firstLine + 3 * i + 2 };
      return {
        text,
        headingPath,
        pageNumber,
        tokenCount: 1,
        textHash: sha256(text),
        occurrence,
        ...(lines && { lines }),
      };
    }),
  };
};
