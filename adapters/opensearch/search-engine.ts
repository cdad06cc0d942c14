import type { ReadEngineScope, SearchEngine } from '../../application/ports/search-engine.ts';
import type { OpenSearch } from './connection.ts';
import { createSearchIn } from './searching.ts';
import type { SpellingOptions } from './spelling.ts';
import { createVectorIndex } from './vector-index.ts';
import { createWordIndex } from './word-index.ts';

export interface EngineOptions extends SpellingOptions {
  /** As for `createSearchEngineIndexes`. */
  readonly prefix: string;
  readonly readScope: ReadEngineScope;
}

export const createOpenSearchEngine = (
  engine: OpenSearch,
  { prefix, readScope, ...spelling }: EngineOptions,
): SearchEngine => {
  const searchIn = createSearchIn(engine, prefix, readScope);
  return { words: createWordIndex(searchIn, spelling), vectors: createVectorIndex(searchIn) };
};
