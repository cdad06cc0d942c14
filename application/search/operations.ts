import type { OnBehalfOf } from '../access/authz/access.ts';
import type { Caller } from '../access/caller.ts';
import type { Page, PageRequest } from '../ports/page.ts';
import type { Catalog, ContentRecord } from '../ports/catalog.ts';
import type { IdSource } from '../ports/identity.ts';
import { arrange } from './arrange.ts';
import type { SearchResponse } from './rerank-results.ts';
import { type PlanDeps, planSearch, type Search } from './plan-search.ts';
import {
  type RetrievalFilter,
  type SearchRequest,
  type SearchResult,
  readFilter,
} from './retrieval-filter.ts';
import type { RerankResults } from './rerank-results.ts';
import type { Retrieve } from './retrieve.ts';

export interface SearchDeps extends PlanDeps {
  readonly retrieve: Retrieve;
  readonly catalog: Pick<Catalog, 'query' | 'metadataTypes'>;
  readonly ids: IdSource;
  /** Null when no reranker is configured. */
  readonly rerankResults?: RerankResults | null;
}

export const createSearchOperations = ({ retrieve, ids, rerankResults = null, ...deps }: SearchDeps) => ({
  /**
   * Searches the contents that the policy allows the principal to read.
   *
   * @throws DomainError filter_invalid, authz_policy_not_found; not_configured when a required provider is missing
   */
  search: async (caller: Caller, search: Search, onBehalfOf: OnBehalfOf = {}): Promise<SearchResponse> => {
    const { scope, request, as, ...planned } = await planSearch(
      deps,
      rerankResults !== null,
      caller,
      search,
      onBehalfOf,
    );
    const find = (of: SearchRequest): Promise<SearchResult> => retrieve(scope, of);
    const result =
      search.rerank && rerankResults !== null
        ? await rerankResults(request, find)
        : { ...(await find(request)), reranked: false };
    return { ...arrange(result, as), queryId: ids.newId(), ...planned };
  },

  /**
   * Lists the contents that pass the filter and that the policy allows the principal to read.
   *
   * @throws DomainError filter_invalid, authz_policy_not_found, invalid_cursor
   */
  query: async (
    caller: Caller,
    {
      filter,
      sort,
      page,
    }: {
      readonly filter: RetrievalFilter;
      readonly sort: 'timestamp' | 'title';
      readonly page: PageRequest;
    },
    onBehalfOf: OnBehalfOf = {},
  ): Promise<Page<ContentRecord>> => {
    const scope = await deps.accessTo(caller, onBehalfOf);
    return deps.catalog.query(scope, { filter: await readFilter(deps.catalog, scope, filter), sort, page });
  },
});
export type SearchOperations = ReturnType<typeof createSearchOperations>;
