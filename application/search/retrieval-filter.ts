import type { Filter } from '../../domain/filter/filter.ts';
import { keysOf, parseFilter } from '../../domain/filter/parse-filter.ts';
import { commonType } from '../../domain/filter/value.ts';
import type { Catalog, ContentFilter, CatalogScope } from '../ports/catalog.ts';

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
