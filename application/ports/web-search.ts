/** A web page as shown to readers. */
export interface WebCitation {
  /** Absolute, http or https, without credentials. Show it but do not fetch it: it may name any host. */
  readonly url: string;
  /** One line, at most 200 characters, not empty. */
  readonly title: string;
}

/** A hit of a search engine. The page itself was not fetched, and the author of these words is unknown. */
export interface WebResult extends WebCitation {
  /** One line, at most 600 characters, not empty. */
  readonly snippet: string;
}

export interface WebResults {
  /** The query that was sent: the question without words that the search engine would treat as operators. */
  readonly query: string;
  /** Best first, without duplicate URLs. */
  readonly results: readonly WebResult[];
  /** Other queries that the search engine suggests, best first; one line each, at most 200 characters. */
  readonly suggestions: readonly string[];
}

/** Searches the web. The query leaves this service. */
export interface WebSearch {
  /**
   * At most `limit` results. The adapter retries transient failures for a few seconds in all. An empty result means
   * that engines found nothing; if none answered, it throws ProviderError.
   *
   * @throws ProviderError, ProviderTimeout: see LanguageModel; the messages contain nothing of the query
   * @throws the reason of `signal` once it aborts
   */
  readonly search: (query: string, limit: number, signal: AbortSignal) => Promise<WebResults>;
}
