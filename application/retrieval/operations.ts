import type { Filter } from '../../domain/filter/filter.ts';
import { keysOf, parseFilter } from '../../domain/filter/parse-filter.ts';
import { commonType } from '../../domain/filter/value.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { AccessTo, Asked } from '../authz/access.ts';
import type { Caller } from '../caller.ts';
import type { Page, PageRequest } from '../page.ts';
import type { SearchRequest, SearchResult } from './search-request.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { CatalogScope } from '../ports/catalog-scope.ts';
import type { ContentFilter, TagFilter } from '../ports/content-filter.ts';
import type { ContentRecord } from '../ports/contents.ts';
import type { IdSource } from '../ports/identity.ts';
import type { SearchIndex } from '../ports/search-index.ts';
import type { Retrieve } from './retrieve.ts';
import { createHighlight } from './highlight.ts';
import type { QuestionVector } from './question-vector.ts';
import type { Reranked, RerankResults } from './rerank-results.ts';

export type SearchMode = 'hybrid' | 'keyword' | 'vector';

/** What search and query filter by, as the caller wrote it. All that is given must hold. */
export interface RetrievalFilter {
  /** See TagFilter; without a name and an id it asks nothing. */
  readonly tags?: TagFilter;
  readonly source_group_ids?: readonly string[];
  readonly source_types?: readonly string[];
  readonly file_types?: readonly string[];
  /** Unix seconds, inclusive. */
  readonly date_from?: number;
  readonly date_to?: number;
  readonly domains?: readonly string[];
  /** Unread filter objects: `metadata` and `source_metadata` on sources, the other two on chunks. */
  readonly metadata?: unknown;
  readonly source_metadata?: unknown;
  readonly chunk_metadata?: unknown;
  readonly metadata_filter?: unknown;
}

export interface Search {
  readonly query: string;
  readonly mode: SearchMode;
  /** 1 to 1,000. */
  readonly limit: number;
  readonly rerank: boolean;
  readonly min_score?: number;
  readonly use_postfilter: boolean;
  readonly filter: RetrievalFilter;
}

export interface Found extends Reranked {
  readonly query_id: string;
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
  search: async (caller: Caller, search: Search, asked: Asked = {}): Promise<Found> => {
    mustBeSetUp(search, { vectors: questionVector !== null, reranker: rerankResults !== null });
    const scope = await accessTo(caller, asked);
    const filter = await read(catalog, scope, search.filter);
    const { query, mode, limit, min_score, use_postfilter } = search;
    const vector = mode === 'keyword' ? null : ((await questionVector?.(scope.tenant, query)) ?? null);
    const minimum = min_score !== undefined && { min_score };
    const byVector = vector !== null && { vector, vector_only: mode === 'vector' };
    const request = { query, limit, ...minimum, use_postfilter, filter, ...byVector };
    const find = (of: SearchRequest): Promise<SearchResult> => retrieve(scope, of);
    const result =
      search.rerank && rerankResults !== null
        ? await rerankResults(request, find)
        : { ...(await find(request)), reranked: false };
    return { ...result, query_id: ids.newId(), mode: vector === null ? 'keyword' : mode };
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
    asked: Asked = {},
  ): Promise<Page<ContentRecord>> => {
    const scope = await accessTo(caller, asked);
    return catalog.query(scope, { filter: await read(catalog, scope, filter), sort, page });
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

const read = async (
  catalog: Pick<Catalog, 'metadataTypes'>,
  scope: CatalogScope,
  raw: RetrievalFilter,
): Promise<ContentFilter> => {
  const { tags, metadata, source_metadata, chunk_metadata, metadata_filter, ...fixed } = raw;
  const onSources = await parsed(catalog, scope, 'source', { metadata, source_metadata });
  const onChunks = await parsed(catalog, scope, 'chunk', { chunk_metadata, metadata_filter });
  const tagged = tags !== undefined && tags.names.length + tags.ids.length > 0 && { tags };
  return { ...fixed, ...tagged, source_metadata: onSources, chunk_metadata: onChunks };
};

/** Filter objects with the types that their keys are stored with. */
const parsed = async (
  catalog: Pick<Catalog, 'metadataTypes'>,
  scope: CatalogScope,
  of: 'source' | 'chunk',
  raw: { readonly [name: string]: unknown },
): Promise<readonly Filter[]> => {
  const given = Object.entries(raw).filter(([, filter]) => filter !== undefined);
  if (given.length === 0) return [];
  const keys = given.flatMap(([, filter]) => keysOf(filter));
  const declared = await catalog.metadataTypes(scope, of, [...new Set(keys)]);
  const types = new Map([...declared].map(([key, stored]) => [key, commonType(stored)]));
  return given.map(([name, filter]) => parseFilter(filter, types, name));
};
