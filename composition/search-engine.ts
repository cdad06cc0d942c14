import type { OpenSearch } from '../adapters/opensearch/connection.ts';
import { createOpenSearchEngine } from '../adapters/opensearch/search-engine.ts';
import type { PostgresDatabase } from '../adapters/postgres/connection.ts';
import { createReadEngineScope } from '../adapters/postgres/outside-search/engine-scope.ts';
import { createSearchIndex } from '../adapters/postgres/postings/search-index.ts';
import { createVectorIndex } from '../adapters/postgres/vectors/vector-index.ts';
import { createEnglishWords } from '../adapters/system/words/english-words.ts';
import type { Contents } from '../application/ports/catalog.ts';
import type { SearchEngine } from '../application/ports/search-engine.ts';

export interface SearchEngineOptions {
  /** Memory for the embedded index of words. */
  readonly memoryBytes: number;
  /** The cluster that is searched instead of the database. */
  readonly cluster?: OpenSearch | undefined;
  /** Beginning of the names of its indexes. */
  readonly prefix?: string | undefined;
  readonly contents: Pick<Contents, 'contentsById'>;
}

/** The engine of this configuration, for the main thread and for search threads. */
export const createSearchEngine = (
  db: PostgresDatabase['db'],
  { memoryBytes, cluster, prefix = '', contents }: SearchEngineOptions,
): SearchEngine => {
  const wordsOfLanguage = createEnglishWords();
  if (cluster !== undefined)
    return createOpenSearchEngine(cluster, {
      prefix,
      readScope: createReadEngineScope(db),
      contentsById: contents.contentsById,
      wordsOfLanguage,
    });
  return {
    words: createSearchIndex(db, { cacheBytes: memoryBytes, wordsOfLanguage }),
    vectors: createVectorIndex(db),
  };
};
