import type { SearchMode } from './plan-search.ts';
import type { Reranked } from './rerank-results.ts';

/** What a search finds, as it is shown. */
export interface Found extends Reranked {
  readonly queryId: string;
  /** How it was searched in fact: by keyword where no embedding provider is set up, or where it failed. */
  readonly mode: SearchMode;
}
