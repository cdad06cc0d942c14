import { createCatalog } from '../../adapters/postgres/catalog/catalog.ts';
import { createSearchIndex } from '../../adapters/postgres/postings/search-index.ts';
import type { Sql } from '../../adapters/postgres/database-schema.ts';
import { createVectorIndex } from '../../adapters/postgres/vectors/vector-index.ts';
import { readConfig } from '../../composition/config/config.ts';
import { createIdSource } from '../../adapters/system/identity.ts';
import { unlimitedAccess } from '../../application/access/authz/access.ts';
import { createSearchOperations } from '../../application/search/operations.ts';
import { createRetrieve } from '../../application/search/retrieve.ts';

const LIMIT = 20;

/** What POST /search does behind HTTP, for a key that sees all of the tenant; answers ids. */
export const searchIn = (tenant: string, db: Sql): ((query: string) => Promise<readonly string[]>) => {
  const catalog = createCatalog(db);
  const searchIndex = createSearchIndex(db, { cacheBytes: readConfig(process.env, true).search.memoryBytes });
  const vectorIndex = createVectorIndex(db);
  const { search } = createSearchOperations({
    retrieve: createRetrieve({ words: searchIndex, vectors: vectorIndex, contents: catalog }),
    catalog,
    ids: createIdSource(),
    accessTo: unlimitedAccess,
  });
  const caller = {
    id: 'bench',
    tenant,
    grant: { scopes: ['knowledge:read'], sourceGroupIds: null },
    context: { tenant, actor: { kind: 'system', id: 'bench' }, correlationId: 'bench', causationId: 'bench' },
  } as const;
  return async (query) => {
    const asked = { query, mode: 'hybrid', limit: LIMIT, rerank: false } as const;
    const { results } = await search(caller, { ...asked, usePostfilter: false, filter: {} });
    return results.map(({ content }) => content.id);
  };
};
