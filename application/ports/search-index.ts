import type { MetadataRecord, SourceType } from '../../domain/source/events.ts';

import type { CatalogScope, ContentFilter } from './catalog.ts';
import type { WordRarity } from '../../domain/ranking/term-weights.ts';

export interface RankRequest {
  /** Plain words. Quotes and operators have no effect: see `parseQuery`. */
  readonly query: string;
  readonly filter: ContentFilter;
  readonly limit: number;
  readonly minScore?: number;
  /**
   * Rank everything that the scope sees first, then filter until `limit` is reached. Scores then do not depend on the
   * filter.
   */
  readonly usePostfilter?: boolean;
}
export interface RankedContent {
  readonly contentId: string;
  /** 0 to 1, relative to the best match of the query. */
  readonly score: number;
}
export interface Ranking {
  /** Best first; equal scores by content id. */
  readonly ranked: readonly RankedContent[];
  /** Number of ranked contents: before the filter with `usePostfilter`, otherwise after it. */
  readonly totalCandidates: number;
  /** The query that was ranked instead: some words of the original occur in no content, but similar words do. */
  readonly correctedQuery?: string;
  /**
   * How rare each word of the ranked query is among all contents of the tenant, whatever the scope; without stop words
   * and identifiers. Absent if nothing was found.
   */
  readonly rarities?: readonly WordRarity[];
}

/**
 * Ranks contents by the words that they share with a query in title, headings and text, and by the names that they
 * have: a title, a heading, the term of a definition. Each index chooses its own formula. `domain/ranking` uses BM25
 * with a smaller weight for the title, and the words of the best matches as a second query (pseudo-relevance feedback).
 * Its statistics are those of all current contents of the tenant, so that the result does not depend on how the index
 * was built.
 *
 * A word that occurs in no content of the tenant, under any of its terms, is replaced by the most similar word in the
 * scope, if one is similar enough. A word that some content has is never replaced.
 *
 * The index contains what SearchIndexWriter reported. Contents outside the scope are not ranked, not counted, and
 * supply no words to the feedback. Stop words are searched only if the query has no other words. An empty query ranks
 * nothing.
 */
export interface SearchIndex {
  /** Returns at most `limit` contents, none with a score below `minScore`. */
  readonly rank: (scope: CatalogScope, request: RankRequest) => Promise<Ranking>;
  /**
   * The index term of each word, in the order of the words; the empty string for a word that is never searched, such as
   * a stop word. Words must have the form that `wordsOf` returns.
   */
  readonly terms: (words: readonly string[]) => Promise<readonly string[]>;
}

/** A document as it is written to an index. Ids are UUIDs. */
export interface SearchableSource {
  readonly id: string;
  readonly tenant: string;
  readonly dataSourceId: string;
  readonly sourceType: SourceType;
  readonly fileType: string;
  readonly url: string;
  readonly title: string;
  /** BCP 47, if known. */
  readonly language?: string;
  /** For filters and policies on sources. */
  readonly metadata: readonly MetadataRecord[];
  readonly contents: readonly SearchableContent[];
}

export interface SearchableContent {
  /** Unique within the tenant. */
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** For filters and policies on chunks, in the form that `chunkMetadata` reads; 0 for sources without pages. */
  readonly pageNumber: number;
  readonly headingPath: readonly string[];
  readonly text: string;
}

/**
 * Writes to an index that is not in the catalog's database. All calls are idempotent: after a failure, the caller
 * repeats them. When a call has returned, every later search reflects it. When it has failed, each source has either
 * its old or its new state.
 *
 * The index in the catalog's own database is written by the catalog projection, in the transaction of its rows. Until
 * an external index has processed a deletion, it may still rank and count deleted contents; reads never show them,
 * because the catalog no longer contains them.
 */
export interface SearchIndexWriter {
  /** Replaces all contents of these sources. */
  readonly replace: (sources: readonly SearchableSource[]) => Promise<void>;
  /** Ignores unknown sources. */
  readonly remove: (tenant: string, sourceIds: readonly string[]) => Promise<void>;
  /** Removes every source of the data source. */
  readonly removeDataSource: (tenant: string, dataSourceId: string) => Promise<void>;
}

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
