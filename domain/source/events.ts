/** How a document was added. */
export const SOURCE_TYPES = ['crawl', 'local_file', 'cloud_drive', 'repo', 'wiki', 'push'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** Events of one document. Bytes and texts are in the file store; events contain only hashes and references. */

/** A file in the data source's area of the file store. */
export interface FileReference {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
}

export type MetadataValueType = 'string' | 'integer' | 'float' | 'date' | 'datetime';
export interface MetadataRecord {
  readonly key: string;
  readonly val: string;
  readonly type: MetadataValueType;
}

interface Visit {
  readonly dataSourceId: string;
  readonly sourceType: SourceType;
  /** Canonical URL or path; identifies the document. */
  readonly locator: string;
  /** The job that visited it, and that job's number within the data source. */
  readonly jobId: string;
  readonly generation: number;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface SourceIndexed extends Visit {
  readonly type: 'SourceIndexed';
  readonly url: string;
  readonly title: string;
  /** BCP 47, detected or declared. Absent when unknown, and in events of earlier versions. */
  readonly language?: string;
  readonly fileType: string;
  /** Media type of the bytes, with the `charset` in which they were decoded, if known. */
  readonly mediaType: string;
  readonly raw: FileReference;
  readonly chunkSet: FileReference & { readonly chunks: number };
}
export interface SourceSkipped extends Visit {
  readonly type: 'SourceSkipped';
  /** As the provider reported it. Absent when it did not, and in events of earlier versions. */
  readonly url?: string;
  readonly title?: string;
  readonly reason: string;
}
/** The latest attempt failed. The content of an earlier attempt stays readable. */
export interface SourceFailed extends Visit {
  readonly type: 'SourceFailed';
  /** As the provider reported it. Absent when it did not, and in events of earlier versions. */
  readonly url?: string;
  readonly title?: string;
  readonly code: string;
  readonly message: string;
}
export interface SourceRemoved {
  readonly type: 'SourceRemoved';
  readonly dataSourceId: string;
  /** `requested`: by a caller. The others: by a job, or by the deletion of the data source. */
  readonly reason: 'not_seen' | 'gone' | 'data_source_deleted' | 'requested';
  /** Empty when no job removed it. */
  readonly jobId: string;
  /** Number of the job; for `requested`, of the first job that may add the document again. */
  readonly generation: number;
  readonly at: number;
}
export interface SourceMetadataReplaced {
  readonly type: 'SourceMetadataReplaced';
  /** The complete metadata of the source. */
  readonly records: readonly MetadataRecord[];
  /** The provider's metadata, whether or not `records` contains it. Absent when a caller wrote the records. */
  readonly provided?: readonly MetadataRecord[];
  readonly at: number;
}
export interface SourceMetadataDeleted {
  readonly type: 'SourceMetadataDeleted';
  readonly at: number;
}

export type SourceEvent =
  | SourceIndexed
  | SourceSkipped
  | SourceFailed
  | SourceRemoved
  | SourceMetadataReplaced
  | SourceMetadataDeleted;
