import type { Filter } from '../../domain/filter/filter.ts';
import { keysOf, parseFilter } from '../../domain/filter/parse-filter.ts';
import { commonType } from '../../domain/filter/value.ts';
import type { UnwrittenWord } from '../../domain/ranking/unwritten.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Catalog, CatalogScope, ContentFilter, ContentRecord } from '../ports/catalog.ts';
import type { VectorQuery } from '../ports/vector-index.ts';

/** A filter object on metadata that nobody has read yet. */
export interface UnreadFilter {
  /** What the caller calls it: errors point there. */
  readonly name: string;
  readonly raw: unknown;
}

/** What search and query filter by. All that is given must hold. Without a tag, `tags` asks nothing. */
export interface RetrievalFilter extends Omit<ContentFilter, 'sourceMetadata' | 'chunkMetadata'> {
  /** On the metadata of sources; absent: none. */
  readonly onSources?: readonly UnreadFilter[];
  /** On the metadata of chunks; absent: none. */
  readonly onChunks?: readonly UnreadFilter[];
}

/** Under the names that callers use: keys of repeated requests are kept by this form, which must never change. */
export const filterAsWritten = ({ onSources = [], onChunks = [], ...fixed }: RetrievalFilter): object => ({
  ...fixed,
  ...Object.fromEntries([...onSources, ...onChunks].map(({ name, raw }) => [name, raw])),
});

type DeclaredTypes = Pick<Catalog, 'metadataTypes'>;

/**
 * The filter as indexes and the catalog take it: values have the types that their keys are stored with.
 *
 * @throws DomainError filter_invalid for the first filter object that says nothing sensible, those on sources first
 */
export const readFilter = async (
  catalog: DeclaredTypes,
  scope: CatalogScope,
  { tags, onSources = [], onChunks = [], ...fixed }: RetrievalFilter,
): Promise<ContentFilter> => {
  const sourceMetadata = await parsed(catalog, scope, 'source', onSources);
  const chunkMetadata = await parsed(catalog, scope, 'chunk', onChunks);
  const tagged = tags !== undefined && tags.names.length + tags.ids.length > 0 && { tags };
  return { ...fixed, ...tagged, sourceMetadata, chunkMetadata };
};

const parsed = async (
  catalog: DeclaredTypes,
  scope: CatalogScope,
  of: 'source' | 'chunk',
  filters: readonly UnreadFilter[],
): Promise<readonly Filter[]> => {
  if (filters.length === 0) return [];
  const keys = filters.flatMap(({ raw }) => keysOf(raw));
  const declared = await catalog.metadataTypes(scope, of, [...new Set(keys)]);
  const types = new Map([...declared].map(([key, stored]) => [key, commonType(stored)]));
  return filters.map(({ name, raw }) => parseFilter(raw, types, name));
};

type Fixed = Omit<ContentFilter, 'tags' | 'sourceMetadata' | 'chunkMetadata'>;
interface Others {
  /** Names of tags. */
  readonly tags: readonly string[];
  readonly tagIds: readonly string[];
  readonly tagFilterLogic: 'AND' | 'OR';
  /** Filter objects by what the caller calls them; a value of undefined is none. */
  readonly onSources: { readonly [name: string]: unknown };
  readonly onChunks: { readonly [name: string]: unknown };
}

/** What callers filter by, as they give it: one by one, each of them optional. */
export type FilterFields = {
  readonly [Name in keyof (Fixed & Others)]?: (Fixed & Others)[Name] | undefined;
};

/**
 * The filter that these fields ask for, for every way in alike.
 *
 * @throws DomainError filter_invalid for dates that nothing can lie between
 */
export const filterFrom = ({
  tags = [],
  tagIds = [],
  tagFilterLogic = 'OR',
  onSources = {},
  onChunks = {},
  sourceGroupIds,
  ...others
}: FilterFields): RetrievalFilter => {
  const { dateFrom, dateTo } = others;
  if (dateFrom !== undefined && dateTo !== undefined && dateFrom > dateTo) {
    const message = `date_from (${dateFrom}) must not lie after date_to (${dateTo})`;
    throw new DomainError('filter_invalid', message);
  }
  const [sources, chunks] = [unread(onSources), unread(onChunks)];
  return {
    tags: { names: tags, ids: tagIds, logic: tagFilterLogic },
    ...(sourceGroupIds !== undefined && { sourceGroupIds: sourceGroupIds.map((id) => id.toLowerCase()) }),
    ...(Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)) as Fixed),
    ...(sources.length > 0 && { onSources: sources }),
    ...(chunks.length > 0 && { onChunks: chunks }),
  };
};

const unread = (filters: { readonly [name: string]: unknown }): readonly UnreadFilter[] =>
  Object.entries(filters).flatMap(([name, raw]) => (raw === undefined ? [] : [{ name, raw }]));

export interface SearchRequest {
  readonly query: string;
  readonly filter: ContentFilter;
  /** 1 to 1,000. */
  readonly limit: number;
  /** The question as a vector: words and vectors rank together then, or with `vectorOnly` vectors alone. */
  readonly vector?: VectorQuery;
  readonly vectorOnly?: boolean;
  /** Scores are 0 to 1: relative to the best match of the query, or to what would be the best of every ranking. */
  readonly minScore?: number;
  /** Rank what the scope sees first, then filter until `limit` is full. Scores then do not depend on the filter. */
  readonly usePostfilter?: boolean;
}
export interface SearchHit {
  readonly content: ContentRecord;
  readonly score: number;
  /** Position from 1 in each ranking that found it. */
  readonly ranks: { readonly keyword?: number; readonly vector?: number };
}
export interface SearchResult {
  /** Best first; equal scores by content id. */
  readonly results: readonly SearchHit[];
  /**
   * Contents that were ranked: before the filter with `usePostfilter`, otherwise after it. Of two rankings, that of the
   * one that ranked more: as soon as everything is embedded, these hold all of the other.
   */
  readonly totalCandidates: number;
  /** What was searched for by words in place of the query, as it seemed misspelled. */
  readonly correctedQuery?: string;
  /** Words of it, or of the corrected one, that no content of the tenant has. Absent: none, or words were not asked. */
  readonly unwritten?: readonly UnwrittenWord[];
}
