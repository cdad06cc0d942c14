/**
 * Scores how well each text answers a question: more accurate than a ranking over all texts, but too slow for more than
 * a few.
 */
export interface Reranker {
  /**
   * One score per text, in the order of the texts, from 0 (does not answer the question) to 1.
   *
   * @throws if the reranker is unavailable; the signal's reason when it aborts
   */
  readonly rerank: (
    query: string,
    texts: readonly string[],
    signal: AbortSignal,
  ) => Promise<readonly number[]>;
}
