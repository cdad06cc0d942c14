import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../adapters/embedded-postgres/server.ts';
import { createExtractiveModel } from '../../../adapters/models/language-model/extractive/language-model.ts';
import { createCatalog } from '../../../adapters/postgres/catalog/catalog.ts';
import { createDatabase } from '../../../adapters/postgres/connection.ts';
import type { Sql } from '../../../adapters/postgres/database-schema.ts';
import { migrate } from '../../../adapters/postgres/migrate.ts';
import { createSearchIndex } from '../../../adapters/postgres/postings/search-index.ts';
import { createCatalogProjection } from '../../../adapters/postgres/projections/catalog/catalog-projection.ts';
import { createVersion, schemaOf } from '../../../adapters/postgres/projections/versions.ts';
import { createVectorIndex } from '../../../adapters/postgres/vectors/vector-index.ts';
import { createIdSource } from '../../../adapters/system/identity.ts';
import { createEnglishWords } from '../../../adapters/system/words/english-words.ts';
import { unlimitedAccess } from '../../../application/access/authz/access.ts';
import { retrieveSources } from '../../../application/answers/completions/complete.ts';
import { estimateTokens } from '../../../application/answers/completions/prompt.ts';
import type { ChunkSet } from '../../../domain/chunking/chunk-set.ts';
import type { Embedder } from '../../../application/ports/embedder.ts';
import type { SearchEngine } from '../../../application/ports/search-engine.ts';
import { createSearchOperations, type SearchOperations } from '../../../application/search/operations.ts';
import { createRetrieve } from '../../../application/search/retrieve.ts';
import { createCitationMarks } from '../../../domain/answer/citation-marks.ts';
import { fillCollection } from '../../search/collection.ts';
import type { Service } from '../ask.ts';
import { questionVector } from '../embeddings.ts';
import { openOutsideEngine } from '../outside-engine.ts';
import { embedAll, evalMigrations } from '../index-documents.ts';

export interface ManualStore extends AsyncDisposable {
  /** Indexes documents as a tenant of their own. */
  readonly add: (name: string, documents: readonly ChunkSet[]) => Promise<Service>;
}

/** What an answer rests on at most, where a request does not say. */
const LIMIT = 8;

/**
 * A catalog in a database of its own, which is thrown away in the end.
 *
 * @param embedder by whose vectors too is searched; without one by words alone
 * @param openSearch URL of the cluster that is searched in place of Postgres
 */
export const openManualStore = async (embedder?: Embedder, openSearch?: string): Promise<ManualStore> => {
  await using opening = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'knowledger-manuals-'));
  opening.defer(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startEmbeddedPostgres({ dataDir });
  opening.defer(server.stop);
  const database = createDatabase(server.connection);
  opening.defer(database.close);
  await migrate(database.pool, evalMigrations);
  const projection = createCatalogProjection({ readChunkSet: async () => null });
  const { version } = await createVersion(database.db, projection, true);
  const outside = openSearch === undefined ? null : await openOutsideEngine(database.db, openSearch);
  if (outside !== null) opening.use(outside);
  const engine = outside?.engine ?? {
    words: createSearchIndex(database.db, { wordsOfLanguage: createEnglishWords() }),
    vectors: createVectorIndex(database.db),
  };
  const search = searchOver(database.db, engine, embedder);
  const open = opening.move();
  return {
    add: async (name, documents) => {
      const { growTo } = fillCollection(database, schemaOf('catalog', version), name, documents.values());
      await growTo(documents.reduce((sum, { chunks }) => sum + chunks.length, 0));
      if (embedder !== undefined) await embedAll(database.db, embedder);
      await outside?.fill(name);
      return askedManual(search, name);
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
};

const searchOver = (
  db: Sql,
  engine: SearchEngine,
  embedder: Embedder | undefined,
): SearchOperations['search'] => {
  const catalog = createCatalog(db);
  const retrieve = createRetrieve({ ...engine, contents: catalog });
  const ids = createIdSource();
  const vectorFor =
    embedder === undefined
      ? null
      : async (_: string, query: string) => ({
          vector: await questionVector(embedder, query),
          embeddedShare: 1,
        });
  const deps = { retrieve, catalog, ids, accessTo: unlimitedAccess, questionVector: vectorFor };
  return createSearchOperations(deps).search;
};

const askedManual = (search: SearchOperations['search'], tenant: string): Service => {
  const caller = {
    id: 'eval',
    tenant,
    grant: { scopes: ['knowledge:read'], sourceGroupIds: null },
    context: { tenant, actor: { kind: 'system', id: 'eval' }, correlationId: 'eval', causationId: 'eval' },
  } as const;
  const everything = { usePostfilter: false, filter: {} } as const;
  const passagesFor = async (question: string) => {
    const messages = [{ role: 'user', content: question }] as const;
    const request = { ...everything, ...ANSWER, messages, limit: LIMIT };
    const { signal } = new AbortController();
    const found = await retrieveSources(
      { search, ground: null },
      caller,
      request,
      { history: messages },
      signal,
    );
    return { question: found.question, passages: found.contents, rarities: found.rarities };
  };
  const model = createExtractiveModel(estimateTokens);
  return {
    search: async (query, mode, limit) => {
      const asked = { ...everything, query, mode: mode as 'hybrid', limit, rerank: false };
      const { results } = await search(caller, asked);
      return results.map(({ content }) => content.url ?? '');
    },
    answer: async (asked) => {
      const { question, passages, rarities } = await passagesFor(asked);
      const marks = createCitationMarks(passages.length, 0);
      let content = '';
      const request = { messages: [], question, passages, rarities, cite: true };
      for await (const event of model.stream(request, new AbortController().signal))
        if (event.kind === 'delta') content += marks.push(event.text);
      content += marks.flush();
      return { content, citations: marks.cited().length };
    },
  };
};

/** As a request is that says nothing of these. */
const ANSWER = {
  citation: true,
  grounding: false,
  truncation: 'auto',
  principalId: null,
  regenerate: false,
} as const;
