import type { CatalogScope } from './catalog-scope.ts';
import type { ContentFilter } from './content-filter.ts';
import type { RankedContent } from './search-index.ts';
import type { VectorQuery } from './vector-query.ts';

export interface VectorRankRequest extends VectorQuery {
  readonly filter: ContentFilter;
  readonly limit: number;
  readonly usePostfilter?: boolean;
}

/** How much of a tenant's catalog a model has embedded. */
export interface Coverage {
  readonly model: string;
  /** Length of its vectors. */
  readonly dimensions: number;
  /** 0 to 1. */
  readonly share: number;
}

export interface VectorRanking {
  /** Best first; equal scores by content id. */
  readonly ranked: readonly RankedContent[];
  /**
   * The score that says nothing, 0 to 1: how near the tenant's texts are to the question on the average, or what was
   * ranked, if that is less. By some models unrelated texts are almost as near as related ones. It depends neither on
   * what is shown nor, but for rankings of what lies below, on what was ranked.
   */
  readonly floor: number;
  readonly totalCandidates: number;
}

/**
 * Ranks contents by the angle between their vectors and that of a question. It knows what was embedded, which follows
 * the catalog by seconds or, after a change of the model, by as long as that takes.
 */
export interface VectorIndex {
  /** Models that have embedded any of the tenant's contents. May be some seconds old. */
  readonly coverage: (tenant: string) => Promise<readonly Coverage[]>;
  /**
   * Contents that have a vector of that model, best first, equal scores by content id. Scores are 0 to 1, relative to
   * the best match of the question; what points away from it has 0. Denied contents are not looked at.
   *
   * @throws Error when the vectors of that model have another length
   */
  readonly rank: (scope: CatalogScope, request: VectorRankRequest) => Promise<VectorRanking>;
}
