import type { Filter } from '../../domain/filter/filter.ts';
import { keysOf, parseFilter } from '../../domain/filter/parse-filter.ts';
import { commonType } from '../../domain/filter/value.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Caller } from '../caller.ts';
import type { Page, PageRequest } from '../page.ts';
import type { Catalog, CatalogScope, ContentFilter, ContentRecord, SearchResult } from '../ports/catalog.ts';
import type { IdSource } from '../ports/identity.ts';
import { scopeOf } from '../source/operations.ts';

export type SearchMode = 'hybrid' | 'keyword' | 'vector';

/** What search and query filter by, as the caller wrote it. All that is given must hold. */
export interface RetrievalFilter {
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
  /** 1 to 100. */
  readonly limit: number;
  readonly rerank: boolean;
  readonly min_score?: number;
  readonly use_postfilter: boolean;
  readonly filter: RetrievalFilter;
}

export interface Found extends SearchResult {
  readonly query_id: string;
  /** How it was searched in fact: keyword, as long as nothing else is set up. */
  readonly mode: SearchMode;
}

export const createSearchOperations = ({
  catalog,
  ids,
}: {
  readonly catalog: Catalog;
  readonly ids: IdSource;
}) => ({
  /** @throws DomainError filter_invalid; not_configured for what no provider is set up for */
  search: async (caller: Caller, search: Search): Promise<Found> => {
    mustBeSetUp(search);
    const scope = scopeOf(caller);
    const { query, limit, min_score, use_postfilter } = search;
    const filter = await read(catalog, scope, search.filter);
    const minimum = min_score !== undefined && { min_score };
    const result = await catalog.search(scope, { query, limit, ...minimum, use_postfilter, filter });
    return { ...result, query_id: ids.newId(), mode: 'keyword' };
  },

  /** Every content that the filter lets through. @throws DomainError filter_invalid, invalid_cursor */
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
  ): Promise<Page<ContentRecord>> => {
    const scope = scopeOf(caller);
    return catalog.query(scope, { filter: await read(catalog, scope, filter), sort, page });
  },
});
export type SearchOperations = ReturnType<typeof createSearchOperations>;

/** `hybrid` means the best there is; what cannot be had at all is refused. */
const mustBeSetUp = ({ mode, rerank }: Search): void => {
  if (mode === 'vector') {
    throw new DomainError(
      'not_configured',
      'vector search needs an embedding provider, and none is set up here: use keyword',
    );
  }
  if (rerank) {
    throw new DomainError('not_configured', 'rerank needs a reranker, and none is set up here: leave it out');
  }
};

const read = async (catalog: Catalog, scope: CatalogScope, raw: RetrievalFilter): Promise<ContentFilter> => {
  const { metadata, source_metadata, chunk_metadata, metadata_filter, ...fixed } = raw;
  const onSources = await parsed(catalog, scope, 'source', { metadata, source_metadata });
  const onChunks = await parsed(catalog, scope, 'chunk', { chunk_metadata, metadata_filter });
  return { ...fixed, source_metadata: onSources, chunk_metadata: onChunks };
};

/** Filter objects with the types that their keys are stored with. */
const parsed = async (
  catalog: Catalog,
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
