import type { JobCounts } from '../../domain/data-source/index.ts';
import type { Page, PageRequest } from './page.ts';

/** The items that providers list (files, wiki pages): which a job has visited, and with what outcome. */

/** One generation of a data source: the visits of one job, with all its attempts. */
export interface ItemRun {
  readonly dataSourceId: string;
  readonly generation: number;
  /**
   * Unix milliseconds. Visits before this time are not trusted, because the rules for items changed then. 0: all visits
   * are trusted.
   */
  readonly rulesChangedAt: number;
}

/** Progress of a generation's listing. */
export interface ListingState {
  /** The provider's cursor from which the listing continues; null: from the beginning. */
  readonly cursor: string | null;
  /** All items were listed. */
  readonly complete: boolean;
  /**
   * The provider's token for the next job, such as a change token. Each complete listing replaces it. Absent or null:
   * none.
   */
  readonly syncToken?: string | null;
}

export interface KnownItem {
  /**
   * This generation has already visited the item: in an earlier attempt of the job, or through a second entry of the
   * same name.
   */
  readonly seen: boolean;
  /** Identifies the version that was last read; null: no version was read, or the visit is not trusted. */
  readonly fingerprint: string | null;
  /** The visit after that success failed: the item must be read again to clear the error of its document. */
  readonly failed: boolean;
  /** Why the visit with this fingerprint skipped the item; null: it did not. */
  readonly skipped: { readonly code: string; readonly message: string } | null;
}

/** `row_failed` is an error in one row of an item: it is listed as an error, but not counted as an item. */
export type ItemOutcome = 'indexed' | 'unchanged' | 'skipped' | 'failed' | 'gone' | 'row_failed';

export interface VisitedItem {
  readonly locator: string;
  readonly outcome: ItemOutcome;
  /** Null: the visit found no document. */
  readonly sourceId: string | null;
  /**
   * Set if the item was indexed completely or found unchanged. Null: the next job reads the item again. After a failure
   * the next job always reads it again, and the fingerprint of the last success stays.
   */
  readonly fingerprint: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly attempt: number;
}

export interface ItemOfSource {
  readonly locator: string;
  readonly sourceId: string;
}

/** The items that a listing of changes did not mention. */
export interface UnchangedRest {
  /** Locators of items that no longer exist. */
  readonly except: ReadonlySet<string>;
  /** See `ListingState`. */
  readonly syncToken: string | null;
}

/** An item of a data source (a page, a file) that could not be read. */
export interface ItemError {
  readonly locator: string;
  readonly code: string;
  readonly message: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly attempt: number;
}

/** Items are identified by locators of at most 2,000 characters, unique within their data source. */
export interface ItemStore {
  /** The state of this generation's listing. Only the token carries over from other generations. */
  readonly listing: (run: ItemRun) => Promise<ListingState>;
  /** Unknown locators are absent from the result. */
  readonly known: (run: ItemRun, locators: readonly string[]) => Promise<ReadonlyMap<string, KnownItem>>;
  /**
   * Records visits, at most one per item, and the listing state if given, atomically. An item with outcome `gone` is
   * deleted.
   */
  readonly commit: (run: ItemRun, visited: readonly VisitedItem[], listing?: ListingState) => Promise<void>;
  /** `commit` of a new version of one item, without the row errors of earlier ones. */
  readonly commitVersion: (run: ItemRun, locator: string, visited: readonly VisitedItem[]) => Promise<void>;
  /**
   * Records every item as visited by this generation and unchanged, and the listing as complete, atomically. Returns
   * false and changes nothing if some item needs a visit: it failed, is not trusted, was visited since the token was
   * stored, or was not visited by the job that stored the token. @param at Unix milliseconds
   */
  readonly markAllUnchanged: (run: ItemRun, at: number) => Promise<boolean>;
  /**
   * Locators that this generation still has to visit, in order, up to `limit`: items that failed, were read
   * incompletely, or are no longer trusted.
   */
  readonly pending: (run: ItemRun, except: ReadonlySet<string>, limit: number) => Promise<readonly string[]>;
  /**
   * Records the items that existed when the token was stored and that this generation has not visited, except `except`,
   * as visited and unchanged, and the listing as complete, atomically. Returns false and changes nothing if one of them
   * is pending. @param at Unix milliseconds
   */
  readonly markRestUnchanged: (run: ItemRun, rest: UnchangedRest, at: number) => Promise<boolean>;
  /**
   * Records a heartbeat of an external executor; one that follows another within some seconds may be left out.
   *
   * @param at Unix milliseconds, returned by `lastHeartbeat`
   */
  readonly recordHeartbeat: (run: ItemRun, at: number) => Promise<void>;
  /** Time of the last heartbeat; 0: none. */
  readonly lastHeartbeat: (dataSourceId: string) => Promise<number>;
  readonly counts: (run: ItemRun) => Promise<JobCounts>;
  /** Sources of earlier generations that this generation did not visit, ordered by locator, up to `limit`. */
  readonly unseen: (run: ItemRun, limit: number) => Promise<readonly ItemOfSource[]>;
  /**
   * Ids of sources in the catalog without a known item, in order after `after`, up to `limit`. Such sources exist if a
   * worker died between writing a document and its item, or if the item store was lost.
   */
  readonly orphans: (run: ItemRun, after: string | null, limit: number) => Promise<readonly string[]>;
  /** Deletes items whose sources were removed. */
  readonly forget: (run: ItemRun, locators: readonly string[]) => Promise<void>;
  /** Deletes the visits of earlier generations to a document, so that the next job reads its item again. */
  readonly forgetDocument: (run: Omit<ItemRun, 'rulesChangedAt'>, sourceId: string) => Promise<void>;
  /** Deletes everything about the data source. */
  readonly purge: (dataSourceId: string) => Promise<void>;
  /**
   * Items of the newest generation that failed or were indexed incompletely (`code`), ordered by locator. `after` is a
   * locator. With 'and skipped', those that were skipped too. @throws DomainError invalid_cursor
   */
  readonly errors: (
    dataSourceId: string,
    page: PageRequest,
    which?: 'and skipped',
  ) => Promise<Page<ItemError>>;
}
