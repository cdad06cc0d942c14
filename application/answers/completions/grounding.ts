import type { WebResult, WebSearch } from '../../ports/web-search.ts';
import type { RedactTextFor } from '../../redaction/redact-text.ts';

/** What the web was asked for one question, and what it answered. */
export interface Grounding {
  /** Best first. */
  readonly results: readonly WebResult[];
  /** As they were sent. */
  readonly queries: readonly string[];
  /** What else could be asked; empty: nothing. */
  readonly suggestion: string;
}

export const UNGROUNDED: Grounding = { results: [], queries: [], suggestion: '' };

/** @throws ProviderError, ProviderTimeout; the signal's reason once it aborts; what `redactTextFor` throws, with nothing asked */
export type Ground = (tenant: string, question: string, signal: AbortSignal) => Promise<Grounding>;

export interface GroundDeps {
  readonly webSearch: WebSearch;
  readonly redactTextFor: RedactTextFor;
}

/** Pages that an answer may rest on. */
const RESULTS = 5;
/** Engines read no more, and a URL has to hold it. */
const MAX_QUERY = 400;

/**
 * Searches the web for a question. What the policies hide in contents is hidden in the question, since it leaves the
 * house, and in what comes back.
 */
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

/** The first characters, without a word that they would cut. */
const cut = (text: string): string => {
  if (text.length <= MAX_QUERY) return text;
  const words = text.slice(0, MAX_QUERY + 1).replace(/\s\S*$/, '');
  return words.slice(0, MAX_QUERY).toWellFormed();
};
