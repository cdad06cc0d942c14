import type { WebResult, WebSearch } from '../../ports/web-search.ts';
import type { RedactTextFor } from '../../redaction/redact-text.ts';

/** Queries and results of the web search for one question. */
export interface Grounding {
  /** Best first. */
  readonly results: readonly WebResult[];
  /** As they were sent. */
  readonly queries: readonly string[];
  /** A suggestion for another query; empty when there is none. */
  readonly suggestion: string;
}

export const UNGROUNDED: Grounding = { results: [], queries: [], suggestion: '' };

/**
 * @throws ProviderError, ProviderTimeout; the signal's reason when it aborts; errors of `redactTextFor`, before any
 *   search
 */
export type Ground = (tenant: string, question: string, signal: AbortSignal) => Promise<Grounding>;

export interface GroundDeps {
  readonly webSearch: WebSearch;
  readonly redactTextFor: RedactTextFor;
}

/** Maximum number of pages in an answer's prompt. */
const RESULTS = 5;
/** Search engines read no more, and the query must fit in a URL. */
const MAX_QUERY = 400;

/** Searches the web for a question. Redacts the question, because it leaves this service, and the results. */
export const createGround =
  ({ webSearch, redactTextFor }: GroundDeps): Ground =>
  async (tenant, question, signal) => {
    const hide = await redactTextFor(tenant);
    const query = cut(hide(question).replaceAll(/\s+/g, ' ').trim());
    if (query === '') return UNGROUNDED;
    const { query: sent, results, suggestions } = await webSearch.search(query, RESULTS, signal);
    return {
      results: results.map(({ url, title, snippet }) => ({
        url,
        title: hide(title),
        snippet: hide(snippet),
      })),
      queries: [sent],
      suggestion: hide(suggestions[0] ?? ''),
    };
  };

/** Cuts a text to the maximum length, at the end of a word. */
const cut = (text: string): string => {
  if (text.length <= MAX_QUERY) return text;
  const words = text.slice(0, MAX_QUERY + 1).replace(/\s\S*$/, '');
  return words.slice(0, MAX_QUERY).toWellFormed();
};
