import type { CatalogScope, ContentFilter, TagFilter } from '../../application/ports/catalog.ts';
import type { SearchableContent, SearchableSource } from '../../application/ports/search-index.ts';
import { chunkMetadata } from '../../application/read-models/chunk-metadata.ts';
import { hostName } from '../../domain/filter/host-name.ts';
import { matches } from '../../domain/filter/matches.ts';

/** A content and the document that it is of. */
export interface Searchable {
  readonly source: SearchableSource;
  readonly content: SearchableContent;
}

/** A tag that a group carries. */
export interface CarriedTag {
  readonly id: string;
  readonly name: string;
}
export type TagsOfGroup = (tenant: string, sourceGroupId: string) => readonly CarriedTag[];

/** Whether the scope sees the content, which is one of its tenant. */
export const isSeen = ({ only, access }: CatalogScope, { source, content }: Searchable): boolean =>
  (only?.includes(source.dataSourceId) ?? true) &&
  (access === null ||
    (matches(access.sources, source.metadata) && matches(access.chunks, chunkMetadata(content))));

/** Whether the filter lets the content through. */
export const passes = (
  filter: ContentFilter,
  { source, content }: Searchable,
  tagsOf: TagsOfGroup,
): boolean => {
  const { dateFrom = -Infinity, dateTo = Infinity } = filter;
  const { sourceMetadata: ofSource = [], chunkMetadata: ofChunk = [] } = filter;
  return (
    (filter.sourceGroupIds?.includes(source.dataSourceId) ?? true) &&
    (filter.tags === undefined || carries(tagsOf(source.tenant, source.dataSourceId), filter.tags)) &&
    (filter.sourceTypes?.includes(source.sourceType) ?? true) &&
    (filter.fileTypes?.includes(source.fileType) ?? true) &&
    content.timestamp >= dateFrom &&
    content.timestamp <= dateTo &&
    (filter.domains === undefined || isUnder(URL.parse(source.url)?.hostname ?? null, filter.domains)) &&
    ofSource.every((of) => matches(of, source.metadata)) &&
    ofChunk.every((of) => matches(of, chunkMetadata(content)))
  );
};

const carries = (carried: readonly CarriedTag[], { names, ids, logic }: TagFilter): boolean => {
  const has = [
    ...names.map((name) => carried.some((tag) => tag.name === name)),
    ...ids.map((id) => carried.some((tag) => tag.id === id.toLowerCase())),
  ];
  return logic === 'AND' ? has.length > 0 && !has.includes(false) : has.includes(true);
};

const isUnder = (host: string | null, domains: readonly string[]): boolean =>
  host !== null && domains.map(hostName).some((domain) => host === domain || host.endsWith(`.${domain}`));
