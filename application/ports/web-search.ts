/** A page of the web, as it is told to readers. */
export interface WebCitation {
  /** Absolute, http or https, without credentials. It may name any host: it is to be shown, not to be fetched. */
  readonly url: string;
  /** One line, at most 200 characters, not empty. */
  readonly title: string;
}

/** A page as a search engine shows it. Nothing was fetched from it: who wrote these words is not known. */
export interface WebResult extends WebCitation {
  /** One line, at most 600 characters, not empty. */
  readonly snippet: string;
}

export interface WebResults {
  /** What was really sent: the question without what the search engine would take for an instruction. */
  readonly query: string;
  /** Best first, each address once. */
  readonly results: readonly WebResult[];
  /** Other questions that the search engine proposes, best first; one line each, at most 200 characters. */
  readonly suggestions: readonly string[];
}

/** Searches the web. What is asked leaves the house. */
export interface WebSearch {
  /**
   * At most `limit` results. What may pass is tried again by the adapter, within a few seconds in all. None means that
   * engines have looked and found nothing, not that they did not answer: that is a ProviderError.
   *
   * @throws ProviderError, ProviderTimeout: see the port of language models; the messages hold nothing of the query
   * @throws the reason of `signal` once it aborts
   */
  readonly search: (query: string, limit: number, signal: AbortSignal) => Promise<WebResults>;
}
