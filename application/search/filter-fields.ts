import { DomainError } from '../../domain/shared/domain-error.ts';
import type { ContentFilter } from '../ports/catalog.ts';
import type { RetrievalFilter, UnreadFilter } from './retrieval-filter.ts';

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
