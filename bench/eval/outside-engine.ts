import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { readOpenSearchUrl } from '../../adapters/opensearch/address.ts';
import { createOpenSearch } from '../../adapters/opensearch/connection.ts';
import { createSearchEngineIndexes } from '../../adapters/opensearch/indexes.ts';
import { createOpenSearchEngine } from '../../adapters/opensearch/search-engine.ts';
import { createCatalog } from '../../adapters/postgres/catalog/catalog.ts';
import type { Sql } from '../../adapters/postgres/database-schema.ts';
import { searchableSources } from '../../adapters/postgres/outside-search/searchable-sources.ts';
import { createEnglishWords } from '../../adapters/system/words/english-words.ts';
import type { SearchEngine } from '../../application/ports/search-engine.ts';

export const OPENSEARCH_OPTION = { opensearch: { type: 'string' } } as const;
const INDEX = 'v1';
/** Sources that are written at once. */
const AT_ONCE = 200;

export interface OutsideEngine extends AsyncDisposable {
  readonly engine: SearchEngine;
  /** Writes all contents that the catalog has of a tenant. */
  readonly fill: (tenant: string) => Promise<void>;
}

/** The program's engine on OpenSearch, over a catalog without deletions; with an index of its own, which goes with it. */
export const openOutsideEngine = async (db: Sql, url: string): Promise<OutsideEngine> => {
  const cluster = createOpenSearch({ address: readOpenSearchUrl(url) });
  const prefix = `eval-${randomUUID()}`;
  const indexes = createSearchEngineIndexes(cluster, { prefix, replicas: 0 });
  await indexes.create(INDEX);
  let written = 0;
  const readScope = async () => ({
    index: INDEX,
    position: `${written}`,
    hiddenDataSources: [],
    hiddenSources: [],
  });
  return {
    engine: createOpenSearchEngine(cluster, {
      prefix,
      readScope,
      contentsById: createCatalog(db).contentsById,
      wordsOfLanguage: createEnglishWords(),
    }),
    fill: async (tenant) => {
      const { rows } = await sql<{ id: string }>`select id from read.source where tenant = ${tenant}`.execute(
        db,
      );
      for (let i = 0; i < rows.length; i += AT_ONCE) {
        const ids = rows.slice(i, i + AT_ONCE).map(({ id }) => id);
        await indexes.writer(INDEX).replace(await searchableSources(db, ids));
        written += 1;
      }
    },
    [Symbol.asyncDispose]: async () => {
      await indexes.drop(INDEX);
      await cluster.ask({ method: 'DELETE', path: `/_index_template/${prefix}` });
      await cluster.close();
    },
  };
};
