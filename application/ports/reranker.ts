/**
 * Judges how well texts answer a question, one by one: better than any ranking over all of them, and too slow for more
 * than a few.
 */
export interface Reranker {
  /**
   * One score per text, in their order, from 0 (does not answer it) to 1.
   *
   * @throws when it cannot be had; the signal's reason when it aborts
   */
  readonly rerank: (
    query: string,
    texts: readonly string[],
    signal: AbortSignal,
  ) => Promise<readonly number[]>;
}
