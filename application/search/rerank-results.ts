import type { SearchRequest, SearchResult } from './retrieval-filter.ts';
import type { Clock } from '../ports/identity.ts';
import type { Logger } from '../ports/logger.ts';
import type { Reranker } from '../ports/search-index.ts';
import { providerFailure } from '../ports/language-model.ts';

export interface RerankDeps {
  readonly reranker: Reranker;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborts after so many milliseconds. */
  readonly timeout: (ms: number) => AbortSignal;
}

export interface Reranked extends SearchResult {
  /** Whether order and scores are the reranker's; else they are the ranking's. */
  readonly reranked: boolean;
}

/** Searches, and puts what was found into the reranker's order. */
export type RerankResults = (
  request: SearchRequest,
  find: (request: SearchRequest) => Promise<SearchResult>,
) => Promise<Reranked>;

/** Contents that are judged, whatever few are asked for. */
const JUDGED = 50;
/** A search that waits for longer is worse than one without. */
const JUDGE_MS = 5_000;
/** How long a reranker that failed is not asked. */
const REST_MS = 10_000;

/**
 * The first 50 of the ranking, or as many as are asked for, judged one by one. Scores, and `minScore` with them, are
 * the reranker's then; ranks stay those of the rankings. A reranker that fails, or takes longer than 5 s, leaves the
 * ranking as it is, and is not asked for 10 s.
 */
export const createRerankResults = ({ reranker, clock, log, timeout }: RerankDeps): RerankResults => {
  let restsUntil = 0;
  return async (asked, find) => {
    const { minScore, ...request } = asked;
    const { limit, query } = request;
    if (clock.now() < restsUntil) return { ...(await find(asked)), reranked: false };
    const found = await find({ ...request, limit: Math.max(JUDGED, limit) });
    const texts = found.results.map(({ content: { title, text } }) => `${title}\n${text}`);
    try {
      const scores = texts.length === 0 ? [] : await reranker.rerank(query, texts, timeout(JUDGE_MS));
      const results = found.results
        .map((hit, i) => ({ ...hit, score: scores[i] ?? 0 }))
        .filter(({ score }) => score >= (minScore ?? 0))
        .toSorted((a, b) => b.score - a.score)
        .slice(0, limit);
      return { ...found, results, reranked: true };
    } catch (error) {
      restsUntil = clock.now() + REST_MS;
      log.warn('results are not reranked', {
        ...providerFailure('reranker', error),
        error: (error as Error).message,
      });
      return { ...(await find(asked)), reranked: false };
    }
  };
};
