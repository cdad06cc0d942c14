import type { FileReference, MetadataRecord, SourceRemoved, SourceType } from './events.ts';

interface Visit {
  readonly data_source_id: string;
  readonly source_type: SourceType;
  readonly locator: string;
  readonly job_id: string;
  readonly generation: number;
  readonly at: number;
}
export interface RecordIndexed extends Visit {
  readonly type: 'record_indexed';
  readonly url: string;
  readonly title: string;
  readonly file_type: string;
  readonly media_type: string;
  readonly raw: FileReference;
  readonly chunk_set: FileReference & { readonly chunks: number };
}
export interface RecordSkipped extends Visit {
  readonly type: 'record_skipped';
  readonly reason: string;
}
export interface RecordFailed extends Visit {
  readonly type: 'record_failed';
  readonly code: string;
  readonly message: string;
}
export interface Remove {
  readonly type: 'remove';
  readonly reason: SourceRemoved['reason'];
  readonly job_id: string;
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
