import type { CatalogScope, ContentFilter } from './catalog.ts';
import type { RankedContent } from './search-index.ts';

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

/** A content to embed. Id and label together identify its title, headings and text. */
export interface PendingContent {
  /** Ascending in order of arrival. */
  readonly place: number;
  readonly tenant: string;
  readonly contentId: string;
  readonly label: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
}
/** A content and the hash of its embedded text. */
export interface HashedContent extends Pick<PendingContent, 'contentId' | 'label'> {
  readonly sha256: string;
}
export interface HashedVector {
  readonly sha256: string;
  /** Null for a text that the model refuses: it is not embedded again. */
  readonly vector: Float32Array | null;
}

/**
 * Vectors by tenant, model and hash of the embedded text, and their assignment to contents of the live catalog. Vectors
 * survive rebuilds of the catalog, are never shared between tenants, and are deleted when no content has their text any
 * more.
 */
export interface VectorStore {
  /** Makes this model the current one. */
  readonly want: (model: string) => Promise<void>;
  /** Contents of the live catalog without a vector of this model, in ascending places after `after`. */
  readonly pending: (model: string, after: number, limit: number) => Promise<readonly PendingContent[]>;
  /** Assigns stored vectors to contents of one tenant; returns the contents without a stored vector. */
  readonly link: (
    model: string,
    tenant: string,
    contents: readonly HashedContent[],
  ) => Promise<readonly HashedContent[]>;
  /**
   * Stores vectors and assigns them to the contents, in one transaction. Skips contents that no longer exist, and
   * vectors that no content then uses. Vectors of another length replace the old ones: the provider then serves another
   * model under the same name.
   */
  readonly keep: (
    model: string,
    tenant: string,
    vectors: readonly HashedVector[],
    contents: readonly HashedContent[],
  ) => Promise<void>;
  /**
   * Deletes vectors of texts that no content has any more: at once for deleted data sources, otherwise after an hour,
   * so that a catalog under rebuild finds them. Returns their number.
   */
  readonly sweep: () => Promise<number>;
  /** Deletes vectors of models that were current before this one. Returns their number. */
  readonly retire: (model: string) => Promise<number>;
  /**
   * Performs about a second of index maintenance that speeds up searches among many vectors; returns whether more
   * remains. The results of searches do not depend on it.
   */
  readonly maintain: () => Promise<boolean>;
  /**
   * Deletes vectors that only contents of this data source use: at once, and for good once those contents are deleted.
   */
  readonly forget: (tenant: string, dataSourceId: string) => Promise<void>;
}
