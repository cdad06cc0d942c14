import type { LocalFileStore } from './file-store.ts';

/**
 * One file store per data source, so that deleting a data source deletes its files and nobody else's, and two data
 * sources never share a file. Within an area the holder of the data source's lease is the only writer.
 */
export interface FileAreas {
  readonly area: (data_source_id: string) => Promise<LocalFileStore>;
  /** Deletes an area with all its files. Answers how many bytes they held; 0 when there is none. */
  readonly remove: (data_source_id: string) => Promise<number>;
  /**
   * Deletes the files of an area that are not in `keep` and were last written before `before` (Unix milliseconds).
   * Answers how many. A store with a clock of its own may leave the youngest of them to the next sweep.
   */
  readonly sweep: (data_source_id: string, keep: ReadonlySet<string>, before: number) => Promise<number>;
  /**
   * Resolves when files can be kept.
   *
   * @throws FileStoreUnavailable, which says why not; also when `signal` aborts
   */
  readonly check: (signal?: AbortSignal) => Promise<void>;
  /** Ends what is under way; afterwards nothing is held open. */
  readonly close: () => Promise<void>;
}
