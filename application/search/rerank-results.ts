import type { SearchMode } from './plan-search.ts';
import type { SearchRequest, SearchResult } from './retrieval-filter.ts';
import type { Clock } from '../ports/identity.ts';
import type { Logger } from '../ports/logger.ts';
import type { Reranker } from '../ports/reranker.ts';
import { providerFailure } from '../ports/language-model.ts';

export interface RerankDeps {
  readonly reranker: Reranker;
  readonly clock: Clock;
  readonly log: Logger;
  /** Creates a signal that aborts after `ms` milliseconds. */
  readonly timeout: (ms: number) => AbortSignal;
}

export interface Reranked extends SearchResult {
  /** Whether order and scores are those of the reranker; otherwise they are those of the ranking. */
  readonly reranked: boolean;
}

/** Searches, and reorders the results by the reranker's scores. */
export type RerankResults = (
  request: SearchRequest,
  find: (request: SearchRequest) => Promise<SearchResult>,
) => Promise<Reranked>;

/** Minimum number of contents that are reranked, even if fewer are requested. */
const MIN_RERANKED = 50;
/** Timeout of the reranker: a longer wait costs more than results without reranking. */
const TIMEOUT_MS = 5_000;
/** How long the reranker is not called after a failure. */
const COOLDOWN_MS = 10_000;

/**
 * Reranks the first 50 results, or as many as are requested. Scores, and `minScore` with them, are then those of the
 * reranker; `ranks` stay those of the rankings. If the reranker fails, or takes longer than 5 s, the ranking is
 * returned unchanged, and the reranker is not called for 10 s.
 */
export const createRerankResults = ({ reranker, clock, log, timeout }: RerankDeps): RerankResults => {
  let cooldownUntil = 0;
  return async (asked, find) => {
    const { minScore, ...request } = asked;
    const { limit, query } = request;
    if (clock.now() < cooldownUntil) return { ...(await find(asked)), reranked: false };
    const found = await find({ ...request, limit: Math.max(MIN_RERANKED, limit) });
    const texts = found.results.map(({ content: { title, text } }) => `${title}\n${text}`);
    try {
      const scores = texts.length === 0 ? [] : await reranker.rerank(query, texts, timeout(TIMEOUT_MS));
      const results = found.results
        .map((hit, i) => ({ ...hit, score: scores[i] ?? 0 }))
        .filter(({ score }) => score >= (minScore ?? 0))
        .toSorted((a, b) => b.score - a.score)
        .slice(0, limit);
      return { ...found, results, reranked: true };
    } catch (error) {
      cooldownUntil = clock.now() + COOLDOWN_MS;
      log.warn('results are not reranked', {
        ...providerFailure('reranker', error),
        error: (error as Error).message,
      });
      return { ...(await find(asked)), reranked: false };
    }
  };
};

/** The result of a search. */
export interface SearchResponse extends Reranked {
  readonly queryId: string;
  /** The mode that was used: `keyword` without a vector of the query. */
  readonly mode: SearchMode;
  /** The share of the tenant's contents that the current model has embedded; absent where no vector was asked for. */
  readonly embeddedShare?: number;
}
