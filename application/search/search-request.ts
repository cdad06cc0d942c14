import type { ContentFilter, ContentRecord } from '../ports/catalog.ts';
import type { UnwrittenWord } from '../../domain/ranking/unwritten.ts';
import type { VectorQuery } from '../ports/vector-index.ts';

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
