import type { CatalogScope, ContentFilter } from './catalog.ts';

export interface RankRequest {
  /** Plain words. There is no syntax: quotes and operators mean nothing. */
  readonly query: string;
  readonly filter: ContentFilter;
  readonly limit: number;
  readonly min_score?: number;
  readonly use_postfilter?: boolean;
}
export interface RankedContent {
  readonly content_id: string;
  /** 0 to 1, relative to the best match of this query. */
  readonly score: number;
}
export interface Ranking {
  /** Best first; equal scores by content id. */
  readonly ranked: readonly RankedContent[];
  readonly total_candidates: number;
}

/**
 * Ranks contents by the words that they share with a query: BM25 over title, headings and text, the title again with
 * a smaller weight, and the words of the best matches as a second query (pseudo-relevance feedback).
 *
 * It knows what the catalog's read model holds, from the same transaction on. Statistics are those of the tenant's living
 * contents, so the answer does not depend on how the index came about. A query of stop words alone, or of nothing,
 * ranks nothing.
 */
export interface LexicalIndex {
  readonly rank: (scope: CatalogScope, request: RankRequest) => Promise<Ranking>;
}
