import type { Highlight } from '../../domain/search/highlights.ts';
import { type NumberedWords, createTextWords, highlightsOf } from '../../domain/search/text-words.ts';
import { wordsOf } from '../../domain/shared/words.ts';
import type { OnBehalfOf } from '../access/authz/access.ts';
import type { Caller } from '../access/caller.ts';
import type { IdSource } from '../ports/identity.ts';
import type { WordIndex } from '../ports/search-engine.ts';
import { arrange } from './arrange.ts';
import type { SearchResponse } from './rerank-results.ts';
import type { SearchOperations } from './operations.ts';
import { type PlanDeps, type PlannedSearch, type Search, planSearch } from './plan-search.ts';
import type { Retrieve } from './retrieve.ts';

/** Searches and returns the serialised response. @throws errors of `search` */
export type SerialisedSearch = (
  caller: Caller,
  search: Search,
  onBehalfOf?: OnBehalfOf,
) => Promise<Uint8Array>;

/** Serialises results in the thread that found them, unless a reranker changes their order. */
export const createSerialisedSearch =
  ({
    search: runSearch,
    retrieveSerialised,
    serialise,
    ids,
    hasReranker,
    ...deps
  }: PlanDeps & {
    readonly search: SearchOperations['search'];
    readonly retrieveSerialised: RetrieveSerialised;
    readonly serialise: SerialiseResults;
    readonly ids: IdSource;
    readonly hasReranker: boolean;
  }): SerialisedSearch =>
  async (caller, search, onBehalfOf = {}) => {
    const { query } = search;
    if (search.rerank) return serialise(await runSearch(caller, search, onBehalfOf), query);
    const { scope, request, as, ...planned } = await planSearch(
      deps,
      hasReranker,
      caller,
      search,
      onBehalfOf,
    );
    return retrieveSerialised({ scope, request, as }, { query, queryId: ids.newId(), ...planned });
  };

const MAX_RANGES = 100;

/**
 * Finds the words of the query, in any inflected form, in each of the texts: at most 100 ranges per text, in order.
 * Words with a different initial than every query word cannot match, so their terms are not looked up. Words of texts
 * and their terms are cached in memory.
 */
export const createHighlight = (
  terms: WordIndex['terms'],
): ((query: string, texts: readonly string[]) => Promise<readonly (readonly Highlight[])[]>) => {
  const read = createTextWords();
  const termCaches = new WeakMap<NumberedWords, (string | undefined)[]>();
  return async (query, texts) => {
    const queryWords = [...new Set(wordsOf(query))];
    const termsOfQueryWords = await terms(queryWords);
    const queryTerms = new Set(termsOfQueryWords.filter((term) => term !== ''));
    if (queryTerms.size === 0) return texts.map(() => []);
    const { numbering, texts: numbered } = read(texts);
    // Initials of stop words are skipped: a stop word has no term, but most words of a text share an initial with one.
    const isQueryInitial = new Uint8Array(numbering.numbersOfInitials.size);
    for (const [i, word] of queryWords.entries()) {
      const initial =
        termsOfQueryWords[i] === '' ? undefined : numbering.numbersOfInitials.get(word[0] ?? '');
      if (initial !== undefined) isQueryInitial[initial] = 1;
    }
    /** Terms by word number. */
    const termCache = termCaches.get(numbering) ?? [];
    termCaches.set(numbering, termCache);
    const unknown = new Set<number>();
    const matches = (word: number): boolean => {
      if (isQueryInitial[numbering.initials[word] as number] !== 1) return false;
      const term = termCache[word];
      if (term === undefined) unknown.add(word);
      return term !== undefined && queryTerms.has(term);
    };
    const ranges = () => numbered.map((text) => highlightsOf(text, matches, MAX_RANGES));
    const first = ranges();
    if (unknown.size === 0) return first;
    const found = await terms([...unknown].map((word) => numbering.words[word] as string));
    for (const [i, word] of [...unknown].entries()) termCache[word] = found[i] ?? '';
    return ranges();
  };
};

/** Context of a response in addition to the results. */
export interface ResultContext extends Pick<SearchResponse, 'queryId' | 'mode' | 'embeddedShare'> {
  /** The query as it was typed. */
  readonly query: string;
}

/**
 * Retrieves, arranges and serialises in one call. A port, because another thread may do the work; the calling thread
 * then only sends the bytes.
 */
export type RetrieveSerialised = (
  planned: Pick<PlannedSearch, 'scope' | 'request' | 'as'>,
  context: ResultContext,
) => Promise<Uint8Array>;

/** Serialises results for an API, with the ranges of the query's words. @param query as it was typed */
export type SerialiseResults = (found: SearchResponse, query: string) => Promise<Uint8Array>;

/** @param toBytes serialises the results; `ranges` are the highlighted ranges of each result, in order */
export const createSerialiseResults = (
  terms: WordIndex['terms'],
  toBytes: (found: SearchResponse, ranges: readonly (readonly Highlight[])[]) => Uint8Array,
): SerialiseResults => {
  const highlight = createHighlight(terms);
  return async (found, query) => {
    const texts = found.results.map(({ content }) => content.text);
    return toBytes(found, await highlight(found.correctedQuery ?? query, texts));
  };
};

/** Retrieves and serialises in the calling thread. */
export const createRetrieveSerialised =
  ({
    retrieve,
    serialise,
  }: {
    readonly retrieve: Retrieve;
    readonly serialise: SerialiseResults;
  }): RetrieveSerialised =>
  async ({ scope, request, as }, { query, ...context }) => {
    const found = arrange(await retrieve(scope, request), as);
    return serialise({ ...found, ...context, reranked: false }, query);
  };
