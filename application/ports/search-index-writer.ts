import type { MetadataRecord, SourceType } from '../../domain/source/events.ts';

/** A document as an index is told of it. Ids are UUIDs. */
export interface SearchableSource {
  readonly id: string;
  readonly tenant: string;
  readonly dataSourceId: string;
  readonly sourceType: SourceType;
  readonly fileType: string;
  readonly url: string;
  readonly title: string;
  /** BCP 47, where it is known. */
  readonly language?: string;
  /** What filters and policies on sources ask. */
  readonly metadata: readonly MetadataRecord[];
  readonly contents: readonly SearchableContent[];
}

export interface SearchableContent {
  /** No other content of the tenant has it. */
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Both as `chunkMetadata` reads them, for filters and policies on chunks; 0 for sources without pages. */
  readonly pageNumber: number;
  readonly headingPath: readonly string[];
  readonly text: string;
}

/**
 * How an index learns what there is to find. Whoever tells it may have to tell it again after a failure: told twice is
 * as told once. When a call has returned, every search that begins then knows of it; when it has failed, each source
 * is as it was before or as it was told.
 *
 * The index in the catalog's own database is told by the catalog's projection, in the transaction of its rows. An index
 * elsewhere is told through this. Until it has been told of a deletion it may still rank and count what is gone; no read
 * shows that, as the catalog leaves it out.
 */
export interface SearchIndexWriter {
  /** These sources hold these contents from now on and no others. */
  readonly replace: (sources: readonly SearchableSource[]) => Promise<void>;
  /** Sources that are not there are passed over. */
  readonly remove: (tenant: string, sourceIds: readonly string[]) => Promise<void>;
  /** Takes out every source of the data source. */
  readonly removeDataSource: (tenant: string, dataSourceId: string) => Promise<void>;
}
