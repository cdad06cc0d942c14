import type { LocalFileStore } from './file-store.ts';

export type Patience = 'caller' | 'worker';

/**
 * One file store per data source, so that deleting a data source deletes its files and nobody else's, and two data
 * sources never share a file. Within an area the holder of the data source's lease is the only writer.
 */
export interface FileAreas {
  /**
   * @param patience `caller`: somebody waits for the answer, so whatever has not begun to come within some seconds is
   * given up as FileStoreUnavailable. Default `worker`: what may pass is tried again for up to some minutes.
   */
  readonly area: (dataSourceId: string, patience?: Patience) => Promise<LocalFileStore>;
  /** Deletes an area with all its files. Answers how many bytes they held; 0 when there is none. */
  readonly remove: (dataSourceId: string) => Promise<number>;
  /**
   * Deletes the files of an area that are not in `keep` and were last written before `before` (Unix milliseconds).
   * Answers how many. A store with a clock of its own may leave the youngest of them to the next sweep.
   */
  readonly sweep: (dataSourceId: string, keep: ReadonlySet<string>, before: number) => Promise<number>;
  /**
   * Moves all files of an area into another; `from` is no area any more then. They count as written now. Broken off, it
   * may be repeated: each file is in one of the two, or in both. Of an area without files nothing happens.
   */
  readonly move: (from: string, to: string) => Promise<void>;
  /**
   * Ties the place of all areas to this service, before anything is kept there: a place without a mark gets one. Where
   * a place can be lost without an error, as a volume that is not mounted, it is lost from then on when its mark is:
   * everything throws `missing`, and nothing is made there.
   *
   * One claim at a time, of all processes that share the place.
   *
   * @param known the mark that was answered before; null: none was
   * @param fresh what to leave where there is no mark, and none is known
   * @returns the mark of the place; null where a loss shows by itself
   * @throws FileStoreUnavailable; `missing` when the place does not have the known mark
   */
  readonly claim: (known: string | null, fresh: string) => Promise<string | null>;
  /**
   * Resolves when files can be kept, which may take a small write.
   *
   * @throws FileStoreUnavailable, which says why not; also when `signal` aborts
   */
  readonly check: (signal?: AbortSignal) => Promise<void>;
  /** Ends what is under way; afterwards nothing is held open. */
  readonly close: () => Promise<void>;
}
