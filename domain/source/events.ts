/** What a document came by. */
export const SOURCE_TYPES = ['crawl', 'local_file', 'cloud_drive', 'repo', 'wiki', 'push'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** Facts about one stored document. Bytes and texts lie in the file store; events carry hashes and references only. */

/** A file of the data source's area in the file store. */
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
  /** Canonical URL or path: what makes the document this document. */
  readonly locator: string;
  /** The job that saw it, and that job's number within the data source. */
  readonly jobId: string;
  readonly generation: number;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface SourceIndexed extends Visit {
  readonly type: 'SourceIndexed';
  readonly url: string;
  readonly title: string;
  /** BCP 47, as its text shows or as it declares. Absent: it is not known, or in events of before. */
  readonly language?: string;
  readonly fileType: string;
  /** Of the bytes; with the `charset` that they were read in where that is known. */
  readonly mediaType: string;
  readonly raw: FileReference;
  readonly chunkSet: FileReference & { readonly chunks: number };
}
export interface SourceSkipped extends Visit {
  readonly type: 'SourceSkipped';
  /** As it was found, where its provider gave it. Absent: it did not, or in events of before. */
  readonly url?: string;
  readonly title?: string;
  readonly reason: string;
}
/** The last attempt failed. What an earlier attempt indexed stays readable. */
export interface SourceFailed extends Visit {
  readonly type: 'SourceFailed';
  /** As it was found, where its provider gave it. Absent: it did not, or in events of before. */
  readonly url?: string;
  readonly title?: string;
  readonly code: string;
  readonly message: string;
}
export interface SourceRemoved {
  readonly type: 'SourceRemoved';
  readonly dataSourceId: string;
  /** `requested`: by a caller. The others: by a job, or by the deletion of its data source. */
  readonly reason: 'not_seen' | 'gone' | 'data_source_deleted' | 'requested';
  /** Empty where no job removed it. */
  readonly jobId: string;
  /** Of the job; for `requested`, that of the first job that may bring the document back. */
  readonly generation: number;
  readonly at: number;
}
export interface SourceMetadataReplaced {
  readonly type: 'SourceMetadataReplaced';
  /** All metadata of the source from now on. */
  readonly records: readonly MetadataRecord[];
  /** What the provider of the document says of it, whether or not `records` take it. Absent: a caller wrote the records. */
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
