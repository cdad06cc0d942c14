import type { SearchMode } from './plan-search.ts';
import type { Reranked } from './rerank-results.ts';

/** The result of a search. */
export interface SearchResponse extends Reranked {
  readonly queryId: string;
  /** The mode that was used: `keyword` if no embedding provider is configured or it failed. */
  readonly mode: SearchMode;
}
