import type { ReadEngineScope, SearchEngine } from '../../application/ports/search-engine.ts';
import type { OpenSearch } from './connection.ts';
import { createSearchIn } from './searching.ts';
import type { ContentsById } from './feedback.ts';
import type { SpellingOptions } from './spelling.ts';
import { createVectorIndex } from './vector-index.ts';
import { createWordIndex } from './word-index.ts';

export interface EngineOptions extends SpellingOptions {
  /** As for `createSearchEngineIndexes`. */
  readonly prefix: string;
  readonly readScope: ReadEngineScope;
  /** Texts of the best contents, which a long query takes words from. */
  readonly contentsById: ContentsById;
}

export const createOpenSearchEngine = (
  engine: OpenSearch,
  { prefix, readScope, contentsById, ...spelling }: EngineOptions,
): SearchEngine => {
  const searchIn = createSearchIn(engine, prefix, readScope);
  return { words: createWordIndex(searchIn, contentsById, spelling), vectors: createVectorIndex(searchIn) };
};
