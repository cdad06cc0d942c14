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
   * Deletes vectors that only contents of this data source use: at once, and for good once those contents are deleted.
   */
  readonly forget: (tenant: string, dataSourceId: string) => Promise<void>;
}
