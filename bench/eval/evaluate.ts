import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../adapters/embedded-postgres/server.ts';
import { createCatalog } from '../../adapters/postgres/catalog/catalog.ts';
import { createDatabase } from '../../adapters/postgres/connection.ts';
import type { Sql } from '../../adapters/postgres/database-schema.ts';
import { migrate } from '../../adapters/postgres/migrate.ts';
import { createSearchIndex } from '../../adapters/postgres/postings/search-index.ts';
import { createVectorIndex } from '../../adapters/postgres/vectors/vector-index.ts';
import { createEnglishWords } from '../../adapters/system/words/english-words.ts';
import type { Embedder } from '../../application/ports/embedder.ts';
import { createRetrieve } from '../../application/search/retrieve.ts';
import { type Collection, readCollection } from './collection.ts';
import { questionVector } from './embeddings.ts';
import { openOutsideEngine } from './outside-engine.ts';
import { embedAll, evalMigrations, indexDocuments, SCOPE } from './index-documents.ts';
import { mean, measure, percentile } from './measures.ts';

const DEPTH = 1_000;

/** How a query is ranked. All but `keyword` need an embedder. */
export const RANKINGS = ['keyword', 'vector', 'hybrid'] as const;
export type RankingName = (typeof RANKINGS)[number];

/**
 * Indexes the collection through the catalog's projection on an embedded Postgres, and ranks every judged query in each
 * of these ways. One result for each, in their order.
 *
 * @param openSearch URL of the cluster that is searched in place of Postgres
 */
export const evaluate = async (
  folder: string,
  rankings: readonly RankingName[] = ['keyword'],
  embedder?: Embedder,
  openSearch?: string,
) => {
  const collection = await readCollection(folder);
  const dataDir = await mkdtemp(join(tmpdir(), 'knowledger-eval-'));
  const server = await startEmbeddedPostgres({ dataDir });
  const database = createDatabase(server.connection);
  try {
    await migrate(database.pool, evalMigrations);
    return await run(database.db, collection, rankings, embedder, openSearch);
  } finally {
    await database.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};

const run = async (
  db: Sql,
  { name, documents, queries, relevant }: Collection,
  rankings: readonly RankingName[],
  embedder: Embedder | undefined,
  openSearch: string | undefined,
) => {
  await using outside = openSearch === undefined ? null : await openOutsideEngine(db, openSearch);
  const began = performance.now();
  const names = await indexDocuments(db, documents);
  if (embedder !== undefined) await embedAll(db, embedder);
  await outside?.fill(SCOPE.tenant);
  const indexed = performance.now();
  const engine = outside?.engine ?? {
    words: createSearchIndex(db, { wordsOfLanguage: createEnglishWords() }),
    vectors: createVectorIndex(db),
  };
  const retrieve = createRetrieve({ ...engine, contents: createCatalog(db) });
  const measured = [];
  for (const ranking of rankings) {
    const times: number[] = [];
    const measures = [];
    for (const { id, text } of queries) {
      const start = performance.now();
      const vector =
        ranking === 'keyword' || embedder === undefined ? null : await questionVector(embedder, text);
      const { results } = await retrieve(SCOPE, {
        query: text,
        filter: {},
        limit: DEPTH,
        ...(vector !== null && { vector, vectorOnly: ranking === 'vector' }),
      });
      times.push(performance.now() - start);
      const found = results.map(({ content }) => names.get(content.id) ?? '');
      measures.push(measure(found, relevant.get(id) ?? new Set()));
    }
    measured.push({
      collection: name,
      ranking,
      ...(embedder !== undefined && { model: embedder.model }),
      documents: documents.length,
      queries: queries.length,
      ...mean(measures),
      index_ms: Math.round(indexed - began),
      query_p50_ms: percentile(times, 0.5),
      query_p95_ms: percentile(times, 0.95),
    });
  }
  return measured;
};
