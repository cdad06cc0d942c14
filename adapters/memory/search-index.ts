import type {
  SearchIndex,
  SearchableSource,
  SearchIndexWriter,
} from '../../application/ports/search-index.ts';
import { plainTerms } from './plain-terms.ts';
import { createSegmentRanking } from './rank-segment.ts';
import type { TagsOfGroup } from './searchable-contents.ts';
import { segmentOf, type TenantSegment } from './tenant-segment.ts';

/**
 * What was written, in memory, ranked by the same rules as in Postgres: for tests. A tenant's contents are one segment,
 * made anew after each change.
 */
export const createMemorySearchIndex = (tagsOf: TagsOfGroup = () => []): SearchIndex & SearchIndexWriter => {
  const tenants = new Map<string, Map<string, SearchableSource>>();
  const segments = new Map<string, TenantSegment>();
  const rank = createSegmentRanking(tagsOf);
  const sourcesOf = (tenant: string): Map<string, SearchableSource> => {
    const sources = tenants.get(tenant) ?? new Map<string, SearchableSource>();
    tenants.set(tenant, sources);
    return sources;
  };
  const change = (tenant: string, act: (sources: Map<string, SearchableSource>) => void): void => {
    act(sourcesOf(tenant));
    segments.delete(tenant);
  };
  return {
    rank: async (scope, request) => {
      const segment = segments.get(scope.tenant) ?? segmentOf([...sourcesOf(scope.tenant).values()]);
      segments.set(scope.tenant, segment);
      return rank(segment, scope, request);
    },
    terms: async (words) => words.map((word) => plainTerms(word)[0] ?? ''),
    replace: async (given) => {
      for (const source of given) change(source.tenant, (sources) => sources.set(source.id, source));
    },
    remove: async (tenant, ids) =>
      change(tenant, (sources) => {
        for (const id of ids) sources.delete(id);
      }),
    removeDataSource: async (tenant, dataSourceId) =>
      change(tenant, (sources) => {
        for (const [id, source] of sources) if (source.dataSourceId === dataSourceId) sources.delete(id);
      }),
  };
};
