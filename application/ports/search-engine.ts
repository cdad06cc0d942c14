import { DomainError } from '../../domain/shared/domain-error.ts';
import type { MetadataRecord, SourceType } from '../../domain/source/events.ts';
import type { WordRarity } from '../../domain/ranking/term-weights.ts';
import type { CatalogScope, ContentFilter, TagFilter } from './catalog.ts';
import type { Position } from './event-store.ts';

/**
 * Finds contents by words and by vectors. Two engines implement it: the one in the catalog's database, and OpenSearch.
 * Both give the two scores of a candidate; the other features are read from its text, so that one formula
 * (`domain/ranking/score.ts`) orders the hits of either.
 */
export interface SearchEngine {
  readonly words: WordIndex;
  readonly vectors: VectorIndex;
}

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
 * Contents outside the scope are not ranked, not counted, and
 * supply no words to the feedback. Stop words are searched only if the query has no other words. An empty query ranks
 * nothing.
 */
export interface WordIndex {
  /** Returns at most `limit` contents, none with a score below `minScore`. */
  readonly rank: (scope: CatalogScope, request: RankRequest) => Promise<Ranking>;
  /**
   * The index term of each word, in the order of the words; the empty string for a word that is never searched, such as
   * a stop word. Words must have the form that `wordsOf` returns.
   */
  readonly terms: (words: readonly string[]) => Promise<readonly string[]>;
}

/** A question with its embedding. */
export interface VectorQuery {
  readonly model: string;
  /** The question as embedded by `model`. */
  readonly vector: Float32Array;
}

export interface VectorRankRequest extends VectorQuery {
  readonly filter: ContentFilter;
  readonly limit: number;
  readonly usePostfilter?: boolean;
}

/** The share of a tenant's catalog that a model has embedded. */
export interface Coverage {
  readonly model: string;
  /** Length of the model's vectors. */
  readonly dimensions: number;
  /** 0 to 1. */
  readonly share: number;
}

interface VectorRanking {
  /** Best first; equal scores by content id. */
  readonly ranked: readonly RankedContent[];
  /**
   * The score of an unrelated text, 0 to 1: the average similarity of the tenant's texts, or of the ranked contents if
   * that is lower, to the question. Some models give unrelated texts almost the same score as related ones. The floor
   * does not depend on what is shown and, except in rankings below it, not on what was ranked.
   */
  readonly floor: number;
  readonly totalCandidates: number;
}

/**
 * Ranks contents by cosine similarity between their vectors and that of a question. The index follows the catalog
 * within seconds or, after a change of the model, within the time that embedding takes.
 */
export interface VectorIndex {
  /** Models that have embedded at least one content of the tenant. May be some seconds old. */
  readonly coverage: (tenant: string) => Promise<readonly Coverage[]>;
  /**
   * Contents with a vector of that model, best first; equal scores by content id. Scores are 0 to 1, relative to the
   * best match; contents with negative similarity have 0. Denied contents are not read.
   *
   * @throws Error when the vectors of that model have another length
   */
  readonly rank: (scope: CatalogScope, request: VectorRankRequest) => Promise<VectorRanking>;
}

/** A document as it is written to an engine. Ids are UUIDs. */
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
  /** Grows with every change of the source: an engine ignores a state that is older than its own. */
  readonly revision: bigint;
  /** None: the source was removed, or has no text. */
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
  /** Declared keys of its row, for the same filters. */
  readonly metadata?: readonly MetadataRecord[];
  readonly text: string;
  /**
   * By model; those that there are. A source is written again, with the same revision, when its contents have more. A
   * vector of zeros counts as none.
   */
  readonly vectors?: ReadonlyMap<string, Float32Array>;
}

/**
 * Writes to one index of an engine outside of the catalog's database. All calls are idempotent: after a failure, the
 * caller repeats them. When a call has returned, every later search reflects it. When it has failed, each source has
 * either its old or its new state, or some contents of both, of which the catalog shows those that exist.
 *
 * Where the index was lost, every call throws SearchEngineUnavailable: it makes no other one, which would look whole.
 *
 * The engine in the catalog's own database is written by the catalog projection, in the transaction of its rows.
 */
export interface SearchEngineWriter {
  /** Replaces all contents of these sources. */
  readonly replace: (sources: readonly SearchableSource[]) => Promise<void>;
  /** Removes every source of the data source. */
  readonly removeDataSource: (tenant: string, dataSourceId: string) => Promise<void>;
}

/** The indexes of an engine outside of the catalog's database: one for each version of the view `search`. */
export interface SearchEngineIndexes {
  /** Creates an empty index, in place of one of that name. */
  readonly create: (index: string) => Promise<void>;
  /** Ignores an unknown index. */
  readonly drop: (index: string) => Promise<void>;
  readonly writer: (index: string) => SearchEngineWriter;
  /** Stores how far the index has read the log. Call it after the writes. @throws SearchEngineUnavailable as they do */
  readonly keepPosition: (index: string, position: Position) => Promise<void>;
  /** Null if there is no such index, or it keeps no position. */
  readonly position: (index: string) => Promise<Position | null>;
}

/** Facts of the catalog's database that a search in another engine depends on. */
export interface EngineScope {
  /** The index to search; null before the first exists. */
  readonly index: string | null;
  /** How far its view has read; null without one. What was counted of the index may have changed when it moves. */
  readonly position: Position | null;
  /** Data sources whose deletion was accepted: nothing of them is ranked or counted. */
  readonly hiddenDataSources: readonly string[];
  /** Erased sources that the index may still have. */
  readonly hiddenSources: readonly string[];
  /** Source groups that meet the filter on tags; absent without one. */
  readonly tagged?: readonly string[];
}
export type ReadEngineScope = (tenant: string, tags?: TagFilter) => Promise<EngineScope>;

/** The engine does not answer, or refuses for now. The message has no secrets. Repeat the call later. */
export class SearchEngineUnavailable extends DomainError {
  constructor(message: string) {
    super('unavailable', message);
    this.name = 'SearchEngineUnavailable';
  }
}
