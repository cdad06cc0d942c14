import type { MetadataValueType } from './events.ts';

/** A key of rows and records whose values become metadata of this type. */
export interface MetadataKey {
  readonly key: string;
  readonly type: MetadataValueType;
}
