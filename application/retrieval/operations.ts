import { DomainError } from '../../domain/shared/domain-error.ts';
import { asPhrase, parseQuery } from '../../domain/ranking/query-syntax.ts';
import type { AccessTo, OnBehalfOf } from '../authz/access.ts';
import type { Caller } from '../caller.ts';
import type { Page, PageRequest } from '../page.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { ContentRecord } from '../ports/contents.ts';
import type { IdSource } from '../ports/identity.ts';
import type { SearchIndex } from '../ports/search-index.ts';
import { arranged, depthOf } from './arrange.ts';
import { createHighlight } from './highlight.ts';
import type { QuestionVector } from './question-vector.ts';
import { readFilter, type RetrievalFilter } from './retrieval-filter.ts';
import type { Reranked, RerankResults } from './rerank-results.ts';
import type { Retrieve } from './retrieve.ts';
import type { SearchRequest, SearchResult } from './search-request.ts';

export type SearchMode = 'hybrid' | 'keyword' | 'vector';

export interface Search {
  readonly query: string;
  readonly mode: SearchMode;
  /** 1 to 1,000. */
  readonly limit: number;
  readonly rerank: boolean;
  readonly minScore?: number;
  readonly usePostfilter: boolean;
  readonly filter: RetrievalFilter;
  /** `source`: at most two contents of a source among the first ten, and equal ones once. Default: `none`. */
  readonly collapse?: 'source' | 'none';
  /** Whether quotes and a minus in the query mean something. Default: they are plain text. */
  readonly syntax?: boolean;
}

export interface Found extends Reranked {
  readonly queryId: string;
  /** How it was searched in fact: by keyword where no embedding provider is set up, or where it failed. */
  readonly mode: SearchMode;
}

export const createSearchOperations = ({
  retrieve,
  catalog,
  ids,
  accessTo,
  searchIndex,
  questionVector = null,
  rerankResults = null,
}: {
  readonly retrieve: Retrieve;
  readonly catalog: Pick<Catalog, 'query' | 'metadataTypes'>;
  readonly ids: IdSource;
  readonly accessTo: AccessTo;
  readonly searchIndex: Pick<SearchIndex, 'terms'>;
  /** Null where no embedding provider is set up. */
  readonly questionVector?: QuestionVector | null;
  /** Null where no reranker is set up. */
  readonly rerankResults?: RerankResults | null;
}) => ({
  highlight: createHighlight(searchIndex.terms),

  /**
   * Finds what the policy allows the principal.
   *
   * @throws DomainError filter_invalid, authz_policy_not_found; not_configured for what no provider is set up for
   */
  search: async (caller: Caller, search: Search, onBehalfOf: OnBehalfOf = {}): Promise<Found> => {
    mustBeSetUp(search, { vectors: questionVector !== null, reranker: rerankResults !== null });
    const scope = await accessTo(caller, onBehalfOf);
    const filter = await readFilter(catalog, scope, search.filter);
    const { mode, limit, minScore, usePostfilter } = search;
    const typed = search.syntax === true ? parseQuery(search.query) : null;
    const query = typed?.ranked ?? search.query;
    const vector = mode === 'keyword' ? null : ((await questionVector?.(scope.tenant, query)) ?? null);
    const minimum = minScore !== undefined && { minScore };
    const byVector = vector !== null && { vector, vectorOnly: mode === 'vector' };
    // A vector knows what stop words mean together.
    const held = typed !== null && vector === null ? asPhrase(typed) : typed;
    const as = { typed: held, collapse: search.collapse ?? 'none', limit } as const;
    const request = { query, limit: depthOf(as), ...minimum, usePostfilter, filter, ...byVector };
    const find = (of: SearchRequest): Promise<SearchResult> => retrieve(scope, of);
    const result =
      search.rerank && rerankResults !== null
        ? await rerankResults(request, find)
        : { ...(await find(request)), reranked: false };
    const results = arranged(result.results, as);
    return { ...result, results, queryId: ids.newId(), mode: vector === null ? 'keyword' : mode };
  },

  /**
   * Every content that the filter lets through, of those that the policy allows the principal.
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
    const scope = await accessTo(caller, onBehalfOf);
    return catalog.query(scope, { filter: await readFilter(catalog, scope, filter), sort, page });
  },
});
export type SearchOperations = ReturnType<typeof createSearchOperations>;

/** `hybrid` means the best there is; what is not set up at all is refused. */
const mustBeSetUp = (
  { mode, rerank }: Search,
  has: { readonly vectors: boolean; readonly reranker: boolean },
): void => {
  if (mode === 'vector' && !has.vectors) {
    throw new DomainError(
      'not_configured',
      'vector search needs an embedding provider, and none is set up here: use keyword',
    );
  }
  if (rerank && !has.reranker) {
    throw new DomainError('not_configured', 'rerank needs a reranker, and none is set up here: leave it out');
  }
};
