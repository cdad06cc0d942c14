import type { Highlight } from '../../domain/search/highlights.ts';
import type { SearchIndex } from '../ports/search-index.ts';
import { arranged } from './arrange.ts';
import { createHighlight } from './highlight.ts';
import type { Found } from './found.ts';
import type { PlannedSearch } from './plan-search.ts';
import type { Retrieve } from './retrieve.ts';

/** What an answer tells beside what was found. */
export interface Told extends Pick<Found, 'queryId' | 'mode'> {
  /** As it was typed. */
  readonly query: string;
}

/**
 * Retrieves, arranges and writes in one. A port: it may be done elsewhere than in the thread that asks, which is then left
 * with bytes to send.
 */
export type RetrieveWritten = (
  planned: Pick<PlannedSearch, 'scope' | 'request' | 'as'>,
  told: Told,
) => Promise<Uint8Array>;

/** Writes what was found in the form of an interface, with the places of the query's words. @param query as it was typed */
export type WriteResults = (found: Found, query: string) => Promise<Uint8Array>;

/**
 * @param record writes it down; `places` of each result, in their order
 */
export const createWriteResults = (
  terms: SearchIndex['terms'],
  record: (found: Found, places: readonly (readonly Highlight[])[]) => Uint8Array,
): WriteResults => {
  const highlight = createHighlight(terms);
  return async (found, query) => {
    const texts = found.results.map(({ content }) => content.text);
    return record(found, await highlight(found.correctedQuery ?? query, texts));
  };
};

/** In the thread that asks. */
export const createRetrieveWritten =
  ({ retrieve, write }: { readonly retrieve: Retrieve; readonly write: WriteResults }): RetrieveWritten =>
  async ({ scope, request, as }, { query, ...told }) => {
    const found = await retrieve(scope, request);
    return write({ ...found, ...told, results: arranged(found.results, as), reranked: false }, query);
  };
