import type { MetadataRecord, SourceType } from '../../domain/source/events.ts';

import type { CatalogScope, ContentFilter } from './catalog.ts';
import type { UnwrittenWord } from '../../domain/ranking/unwritten.ts';

export interface RankRequest {
  /** Plain words. Quotes and operators mean nothing here: see `parseQuery`. */
  readonly query: string;
  readonly filter: ContentFilter;
  readonly limit: number;
  readonly minScore?: number;
  /** Rank what the scope sees first, then filter until `limit` is full. Scores then do not depend on the filter. */
  readonly usePostfilter?: boolean;
}
export interface RankedContent {
  readonly contentId: string;
  /** 0 to 1, relative to the best match of this query. */
  readonly score: number;
}
export interface Ranking {
  /** Best first; equal scores by content id. */
  readonly ranked: readonly RankedContent[];
  /** Contents that were ranked: before the filter with `usePostfilter`, otherwise after it. */
  readonly totalCandidates: number;
  /** What was ranked in place of the query: some of its words are in no content, and near ones are. */
  readonly correctedQuery?: string;
  /** Words of what was ranked that no content of the tenant has, whoever may see it; absent for none, and where nothing was found. */
  readonly unwritten?: readonly UnwrittenWord[];
}

/**
 * Ranks contents by the words that they share with a query, in title, headings and text, and by the names that they bear:
 * a title, a heading, the term of a definition. By which formula is the index's
 * own affair. That of `domain/ranking` is BM25 with a smaller weight for the title, and the words of the best matches as
 * a second query (pseudo-relevance feedback); there, statistics are those of all of the tenant's living contents, so
 * that the answer does not depend on how the index came about.
 *
 * A word that no content of the tenant has, under any of its terms, is taken for the nearest that the scope may see, where
 * one is near; never one that some content has.
 *
 * What it knows of is what it was told, see SearchIndexWriter. What a scope may not see is not ranked, not counted, and
 * gives no word to the feedback. Stop words are looked for only where a query is of nothing else; a query of nothing ranks
 * nothing.
 */
export interface SearchIndex {
  /** The leg of a search by words: at most `limit` contents, none below `minScore`. */
  readonly rank: (scope: CatalogScope, request: RankRequest) => Promise<Ranking>;
  /**
   * The term under which each of these words is found, in their order; the empty text for one that is never searched
   * for, such as a stop word. Words as `wordsOf` has them.
   */
  readonly terms: (words: readonly string[]) => Promise<readonly string[]>;
}

/** A document as an index is told of it. Ids are UUIDs. */
export interface SearchableSource {
  readonly id: string;
  readonly tenant: string;
  readonly dataSourceId: string;
  readonly sourceType: SourceType;
  readonly fileType: string;
  readonly url: string;
  readonly title: string;
  /** BCP 47, where it is known. */
  readonly language?: string;
  /** What filters and policies on sources ask. */
  readonly metadata: readonly MetadataRecord[];
  readonly contents: readonly SearchableContent[];
}

export interface SearchableContent {
  /** No other content of the tenant has it. */
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Both as `chunkMetadata` reads them, for filters and policies on chunks; 0 for sources without pages. */
  readonly pageNumber: number;
  readonly headingPath: readonly string[];
  readonly text: string;
}

/**
 * How an index learns what there is to find. Whoever tells it may have to tell it again after a failure: told twice is
 * as told once. When a call has returned, every search that begins then knows of it; when it has failed, each source
 * is as it was before or as it was told.
 *
 * The index in the catalog's own database is told by the catalog's projection, in the transaction of its rows. An index
 * elsewhere is told through this. Until it has been told of a deletion it may still rank and count what is gone; no read
 * shows that, as the catalog leaves it out.
 */
export interface SearchIndexWriter {
  /** These sources hold these contents from now on and no others. */
  readonly replace: (sources: readonly SearchableSource[]) => Promise<void>;
  /** Sources that are not there are passed over. */
  readonly remove: (tenant: string, sourceIds: readonly string[]) => Promise<void>;
  /** Takes out every source of the data source. */
  readonly removeDataSource: (tenant: string, dataSourceId: string) => Promise<void>;
}

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
