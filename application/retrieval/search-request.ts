import type { ContentFilter } from '../ports/content-filter.ts';
import type { ContentRecord } from '../ports/contents.ts';
import type { VectorQuery } from '../ports/vector-query.ts';

export interface SearchRequest {
  readonly query: string;
  readonly filter: ContentFilter;
  /** 1 to 1,000. */
  readonly limit: number;
  /** The question as a vector: words and vectors rank together then, or with `vector_only` vectors alone. */
  readonly vector?: VectorQuery;
  readonly vector_only?: boolean;
  /** Scores are 0 to 1: relative to the best match of the query, or to what would be the best of every ranking. */
  readonly min_score?: number;
  /** Rank what the scope sees first, then filter until `limit` is full. Scores then do not depend on the filter. */
  readonly use_postfilter?: boolean;
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
   * Contents that were ranked: before the filter with `use_postfilter`, otherwise after it. Of two rankings, that of the
   * one that ranked more: as soon as everything is embedded, these hold all of the other.
   */
  readonly total_candidates: number;
}
