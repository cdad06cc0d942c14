import type { CatalogScope, ContentFilter } from '../../application/ports/catalog.ts';
import type { EngineScope } from '../../application/ports/search-engine.ts';
import { hostName } from '../../domain/filter/matches.ts';
import { storable } from '../../domain/filter/value.ts';
import { metadataQuery, type Query } from './metadata.ts';

/** Contents of the tenant, whatever may be seen of them. */
export const ofTenant = (tenant: string): readonly Query[] => [{ term: { tenant } }];

/** Contents that the scope may see. */
export const seenBy = (
  { tenant, only, access }: CatalogScope,
  { hiddenDataSources, hiddenSources }: EngineScope,
): readonly Query[] => [
  ...ofTenant(tenant),
  ...(only === null ? [] : [inGroups(only)]),
  ...(hiddenDataSources.length === 0 ? [] : [{ bool: { must_not: [inGroups(hiddenDataSources)] } }]),
  ...(hiddenSources.length === 0 ? [] : [{ bool: { must_not: [oneOf('source', hiddenSources)] } }]),
  ...(access === null
    ? []
    : [metadataQuery('sourceMetadata', access.sources), metadataQuery('chunkMetadata', access.chunks)]),
];

/** Contents that the filter lets through. */
export const letThrough = (filter: ContentFilter, { tagged }: EngineScope): readonly Query[] => {
  const { sourceGroupIds, sourceTypes, fileTypes, dateFrom, dateTo, domains } = filter;
  const range = {
    ...(dateFrom !== undefined && { gte: wholeSeconds(Math.ceil(dateFrom)) }),
    ...(dateTo !== undefined && { lte: wholeSeconds(Math.floor(dateTo)) }),
  };
  return [
    ...(sourceGroupIds === undefined ? [] : [inGroups(sourceGroupIds)]),
    ...(tagged === undefined ? [] : [inGroups(tagged)]),
    ...(sourceTypes === undefined ? [] : [oneOf('type', sourceTypes)]),
    ...(fileTypes === undefined ? [] : [oneOf('fileType', fileTypes)]),
    ...(domains === undefined ? [] : [oneOf('domains', domains.map(hostName))]),
    ...(Object.keys(range).length === 0 ? [] : [{ range: { at: range } }]),
    ...(filter.sourceMetadata ?? []).map((of) => metadataQuery('sourceMetadata', of)),
    ...(filter.chunkMetadata ?? []).map((of) => metadataQuery('chunkMetadata', of)),
  ];
};

const oneOf = (field: string, values: readonly string[]): Query => ({
  terms: { [field]: values.map(storable) },
});

/** Ids of groups are UUIDs, in either case. */
const inGroups = (ids: readonly string[]): Query =>
  oneOf(
    'group',
    ids.map((id) => id.toLowerCase()),
  );

/** No timestamp is beyond these. */
const wholeSeconds = (seconds: number): number =>
  Math.min(Math.max(seconds, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
