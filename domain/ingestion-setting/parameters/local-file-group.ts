import type { MetadataKey } from '../../source/metadata-key.ts';

/** Of a group of uploaded files. */
export interface LocalFileGroupParameters {
  readonly kind: 'local_file_group';
  /** Keys of rows and records that become typed metadata of their chunk. */
  readonly chunkMetadataKeys: readonly MetadataKey[];
}
/** All of them may change. */
export type LocalFileGroupFixed = never;
