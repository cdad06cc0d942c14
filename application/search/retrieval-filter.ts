import type { Filter } from '../../domain/filter/filter.ts';
import { keysOf, parseFilter } from '../../domain/filter/parse-filter.ts';
import { commonType } from '../../domain/filter/value.ts';
import type { Features } from '../../domain/ranking/score.ts';
import type { WordRarity } from '../../domain/ranking/term-weights.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import type { Catalog, CatalogScope, ContentFilter, ContentRecord } from '../ports/catalog.ts';
import type { VectorQuery } from '../ports/search-engine.ts';

/** A metadata filter that has not been parsed yet. */
export interface UnparsedFilter {
  /** The caller's name of the filter, for error messages. */
  readonly name: string;
  readonly raw: unknown;
}

/**
 * The filters of search and query. A content must meet every condition that is given. Empty `tags` are no condition.
 */
export interface RetrievalFilter extends Omit<ContentFilter, 'sourceMetadata' | 'chunkMetadata'> {
  /** Filters on the metadata of sources; absent for none. */
  readonly onSources?: readonly UnparsedFilter[];
  /** Filters on the metadata of chunks; absent for none. */
  readonly onChunks?: readonly UnparsedFilter[];
}

/**
 * The filter with the caller's names. Fingerprints of repeated requests are stored from this form: it must never
 * change.
 */
export const filterAsWritten = ({ onSources = [], onChunks = [], ...fixed }: RetrievalFilter): object => ({
  ...fixed,
  ...Object.fromEntries([...onSources, ...onChunks].map(({ name, raw }) => [name, raw])),
});

type DeclaredTypes = Pick<Catalog, 'metadataTypes'>;

/**
 * Parses the filter for the indexes and the catalog: values get the types with which their keys are stored.
 *
 * @throws DomainError filter_invalid for the first invalid filter object; filters on sources are parsed first
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
  filters: readonly UnparsedFilter[],
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
  /** Filter objects by the caller's names; undefined values are ignored. */
  readonly onSources: { readonly [name: string]: unknown };
  readonly onChunks: { readonly [name: string]: unknown };
}

/** The filter fields of a request, all of them optional. */
export type FilterFields = {
  readonly [Name in keyof (Fixed & Others)]?: (Fixed & Others)[Name] | undefined;
};

/**
 * Builds the filter from the fields of a request, for the API and for the tools.
 *
 * @throws DomainError filter_invalid when date_from is after date_to
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
    const message = `date_from (${dateFrom}) must not be after date_to (${dateTo})`;
    throw new DomainError('filter_invalid', message);
  }
  const [sources, chunks] = [unparsed(onSources), unparsed(onChunks)];
  return {
    tags: { names: tags, ids: tagIds, logic: tagFilterLogic },
    ...(sourceGroupIds !== undefined && { sourceGroupIds: sourceGroupIds.map((id) => id.toLowerCase()) }),
    ...(Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)) as Fixed),
    ...(sources.length > 0 && { onSources: sources }),
    ...(chunks.length > 0 && { onChunks: chunks }),
  };
};

const unparsed = (filters: { readonly [name: string]: unknown }): readonly UnparsedFilter[] =>
  Object.entries(filters).flatMap(([name, raw]) => (raw === undefined ? [] : [{ name, raw }]));

export interface SearchRequest {
  readonly query: string;
  readonly filter: ContentFilter;
  /** 1 to 1,000. */
  readonly limit: number;
  /** The vector of the query. With it, keyword and vector rankings are fused; with `vectorOnly`, only vectors rank. */
  readonly vector?: VectorQuery;
  readonly vectorOnly?: boolean;
  /** Scores are between 0 and 1, relative to the best match, or to the best possible position in every ranking. */
  readonly minScore?: number;
  /** Rank the whole scope first, then filter until `limit` is reached. Scores then do not depend on the filter. */
  readonly usePostfilter?: boolean;
}
export interface SearchHit {
  readonly content: ContentRecord;
  readonly score: number;
  /** Position from 1 in each ranking that contains the hit. */
  readonly ranks: { readonly keyword?: number; readonly vector?: number };
  /** Absent where the retrievers alone give the score: behind the first 30 hits, and of a vector-only search. */
  readonly features?: Features;
}
export interface SearchResult {
  /** Best first; equal scores are ordered by content id. */
  readonly results: readonly SearchHit[];
  /**
   * Number of ranked contents: before the filter with `usePostfilter`, otherwise after it. Of two rankings, the larger
   * number: once all contents are embedded, the vector ranking includes those of the keyword ranking.
   */
  readonly totalCandidates: number;
  /** The corrected query that was searched for, if the query seemed misspelled. */
  readonly correctedQuery?: string;
  /** How rare the words of the (corrected) query are. Absent if words did not rank, or found nothing. */
  readonly rarities?: readonly WordRarity[];
}
