import type { CatalogScope, ContentFilter } from './catalog.ts';
import type { RankedContent } from './search-index.ts';

/** A question as a vector. */
export interface VectorQuery {
  readonly model: string;
  /** The question, embedded by that model. */
  readonly vector: Float32Array;
}

export interface VectorRankRequest extends VectorQuery {
  readonly filter: ContentFilter;
  readonly limit: number;
  readonly usePostfilter?: boolean;
}

/** How much of a tenant's catalog a model has embedded. */
export interface Coverage {
  readonly model: string;
  /** Length of its vectors. */
  readonly dimensions: number;
  /** 0 to 1. */
  readonly share: number;
}

interface VectorRanking {
  /** Best first; equal scores by content id. */
  readonly ranked: readonly RankedContent[];
  /**
   * The score that says nothing, 0 to 1: how near the tenant's texts are to the question on the average, or what was
   * ranked, if that is less. By some models unrelated texts are almost as near as related ones. It depends neither on
   * what is shown nor, but for rankings of what lies below, on what was ranked.
   */
  readonly floor: number;
  readonly totalCandidates: number;
}

/**
 * Ranks contents by the angle between their vectors and that of a question. It knows what was embedded, which follows
 * the catalog by seconds or, after a change of the model, by as long as that takes.
 */
export interface VectorIndex {
  /** Models that have embedded any of the tenant's contents. May be some seconds old. */
  readonly coverage: (tenant: string) => Promise<readonly Coverage[]>;
  /**
   * Contents that have a vector of that model, best first, equal scores by content id. Scores are 0 to 1, relative to
   * the best match of the question; what points away from it has 0. Denied contents are not looked at.
   *
   * @throws Error when the vectors of that model have another length
   */
  readonly rank: (scope: CatalogScope, request: VectorRankRequest) => Promise<VectorRanking>;
}

/** A content as it is to be embedded. Its id and its label together tell title, headings and text. */
export interface PendingContent {
  /** Ascending in the order of arrival. */
  readonly place: number;
  readonly tenant: string;
  readonly contentId: string;
  readonly label: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
}
/** A content, and the hash of what is embedded of it. */
export interface HashedContent extends Pick<PendingContent, 'contentId' | 'label'> {
  readonly sha256: string;
}
export interface HashedVector {
  readonly sha256: string;
  /** Null for a text that the model refuses: it is not asked again. */
  readonly vector: Float32Array | null;
}

/**
 * Vectors by tenant, model and the hash of the embedded text, and which contents of the live catalog have them. They
 * outlive rebuilds of the catalog, are never shared between tenants, and go when no content has their text any more.
 */
export interface VectorStore {
  /** Says that this model is wanted from now on. */
  readonly want: (model: string) => Promise<void>;
  /** Contents of the live catalog that have no vector of this model yet, in ascending places after `after`. */
  readonly pending: (model: string, after: number, limit: number) => Promise<readonly PendingContent[]>;
  /** Gives contents of one tenant the vectors that are there for their texts; answers those for which none is. */
  readonly link: (
    model: string,
    tenant: string,
    contents: readonly HashedContent[],
  ) => Promise<readonly HashedContent[]>;
  /**
   * Keeps vectors and gives them to the contents, in one transaction. Contents that have gone meanwhile get none, and a
   * vector that nobody then has is not kept. Vectors of another length than those before take their place: a model
   * that answers so is another one under the same name.
   */
  readonly keep: (
    model: string,
    tenant: string,
    vectors: readonly HashedVector[],
    contents: readonly HashedContent[],
  ) => Promise<void>;
  /**
   * Deletes vectors whose texts no content has any more: those of deleted data sources at once, others after an hour,
   * so that a catalog that is being filled again finds them. Answers how many.
   */
  readonly sweep: () => Promise<number>;
  /** Deletes vectors of models that were wanted before this one. Answers how many. */
  readonly retire: (model: string) => Promise<number>;
  /**
   * Does a piece, of a second or so, of what makes searches among many vectors faster; answers whether there is more to
   * do. Searches find the same before, meanwhile and after, and where nothing can be done.
   */
  readonly tend: () => Promise<boolean>;
  /** Deletes what only contents of this data source have: at once, and nothing of it comes back once they are gone. */
  readonly forget: (tenant: string, dataSourceId: string) => Promise<void>;
}
