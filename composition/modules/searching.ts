import { ContainerModule } from 'inversify';
import { createSearchRecords } from '../../adapters/http/records/search-record.ts';
import { createSearchIndex } from '../../adapters/postgres/postings/search-index.ts';
import { createRetrieve } from '../../application/retrieval/retrieve.ts';
import { createRetrieveWritten, createWriteResults } from '../../application/retrieval/written-results.ts';
import type { Config } from '../config.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** What finds contents, and writes them down. */
export const searchingModule = ({ search }: Pick<Config, 'search'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    provide(T.SearchIndex, ({ db }) => createSearchIndex(db, { cacheBytes: search.memoryBytes }), {
      db: T.Db,
    });
    provide(T.Retrieve, createRetrieve, {
      searchIndex: T.SearchIndex,
      vectorIndex: T.VectorIndex,
      contents: T.Catalog,
    });
    provide(T.WriteResults, ({ index }) => createWriteResults(index.terms, createSearchRecords()), {
      index: T.SearchIndex,
    });
    provide(T.RetrieveWritten, createRetrieveWritten, { retrieve: T.Retrieve, write: T.WriteResults });
  });
