import type { FileReference, MetadataRecord, SourceRemoved, SourceType } from './events.ts';

interface Visit {
  readonly dataSourceId: string;
  readonly sourceType: SourceType;
  readonly locator: string;
  readonly jobId: string;
  readonly generation: number;
  readonly at: number;
}
export interface RecordIndexed extends Visit {
  readonly type: 'record_indexed';
  readonly url: string;
  readonly title: string;
  /** BCP 47. */
  readonly language?: string;
  readonly fileType: string;
  readonly mediaType: string;
  readonly raw: FileReference;
  readonly chunkSet: FileReference & { readonly chunks: number };
}
export interface RecordSkipped extends Visit {
  readonly type: 'record_skipped';
  readonly url?: string;
  readonly title?: string;
  readonly reason: string;
}
export interface RecordFailed extends Visit {
  readonly type: 'record_failed';
  readonly url?: string;
  readonly title?: string;
  readonly code: string;
  readonly message: string;
}
export interface Remove {
  readonly type: 'remove';
  readonly reason: SourceRemoved['reason'];
  readonly jobId: string;
  readonly generation: number;
  readonly at: number;
}
export interface ReplaceMetadata {
  readonly type: 'replace_metadata';
  readonly records: readonly MetadataRecord[];
  readonly at: number;
}
export interface DeleteMetadata {
  readonly type: 'delete_metadata';
  readonly at: number;
}
export type SourceCommand =
  | RecordIndexed
  | RecordSkipped
  | RecordFailed
  | Remove
  | ReplaceMetadata
  | DeleteMetadata;
