import type { MetadataKey } from '../../source/metadata-key.ts';

/** Parameters of a group of uploaded files. */
export interface LocalFileGroupParameters {
  readonly kind: 'local_file_group';
  /** Keys of rows and records whose values become typed metadata of their chunk. */
  readonly chunkMetadataKeys: readonly MetadataKey[];
}
/** All parameters can be changed. */
export type ImmutableLocalFileGroupParameter = never;
