import type { CatalogScope } from './catalog-scope.ts';
import type { UnwrittenWord } from '../../domain/ranking/unwritten.ts';
import type { ContentFilter } from './content-filter.ts';

export interface RankRequest {
  /** Plain words. Quotes and operators mean nothing here: see `parseQuery`. */
  readonly query: string;
  readonly filter: ContentFilter;
  readonly limit: number;
  readonly minScore?: number;
  /** Rank what the scope sees first, then filter until `limit` is full. Scores then do not depend on the filter. */
  readonly usePostfilter?: boolean;
}
export interface RankedContent {
  readonly contentId: string;
  /** 0 to 1, relative to the best match of this query. */
  readonly score: number;
}
export interface Ranking {
  /** Best first; equal scores by content id. */
  readonly ranked: readonly RankedContent[];
  /** Contents that were ranked: before the filter with `usePostfilter`, otherwise after it. */
  readonly totalCandidates: number;
  /** What was ranked in place of the query: some of its words are in no content, and near ones are. */
  readonly correctedQuery?: string;
  /** Words of what was ranked that no content of the tenant has, whoever may see it; absent for none, and where nothing was found. */
  readonly unwritten?: readonly UnwrittenWord[];
}

/**
 * Ranks contents by the words that they share with a query, in title, headings and text, and by the names that they bear:
 * a title, a heading, the term of a definition. By which formula is the index's
 * own affair. That of `domain/ranking` is BM25 with a smaller weight for the title, and the words of the best matches as
 * a second query (pseudo-relevance feedback); there, statistics are those of all of the tenant's living contents, so
 * that the answer does not depend on how the index came about.
 *
 * A word that no content of the tenant has, under any of its terms, is taken for the nearest that the scope may see, where
 * one is near; never one that some content has.
 *
 * What it knows of is what it was told, see SearchIndexWriter. What a scope may not see is not ranked, not counted, and
 * gives no word to the feedback. Stop words are looked for only where a query is of nothing else; a query of nothing ranks
 * nothing.
 */
export interface SearchIndex {
  /** The leg of a search by words: at most `limit` contents, none below `minScore`. */
  readonly rank: (scope: CatalogScope, request: RankRequest) => Promise<Ranking>;
  /**
   * The term under which each of these words is found, in their order; the empty text for one that is never searched
   * for, such as a stop word. Words as `wordsOf` has them.
   */
  readonly terms: (words: readonly string[]) => Promise<readonly string[]>;
}
