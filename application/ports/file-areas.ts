import type { LocalFileStore } from './file-store.ts';

/**
 * One file store per data source, so that deleting a data source deletes its files and nobody else's, and two data
 * sources never share a file. Within an area the holder of the data source's lease is the only writer.
 */
export interface FileAreas {
  readonly area: (data_source_id: string) => Promise<LocalFileStore>;
  /** Deletes an area with all its files. Answers how many bytes they held; 0 when there is none. */
  readonly remove: (data_source_id: string) => Promise<number>;
}
