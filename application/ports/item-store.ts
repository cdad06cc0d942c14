import type { JobCounts } from '../../domain/data-source/index.ts';
import type { Page, PageRequest } from './page.ts';

/** What is known of the items that providers list (files, wiki pages): which a job has visited, and with what outcome. */

/** One generation of a data source: what one job, and each of its attempts, visits. */
export interface ItemRun {
  readonly dataSourceId: string;
  readonly generation: number;
  /** Unix milliseconds: older visits are not trusted, because items are judged in another way since. 0: all are. */
  readonly judgedSince: number;
}

/** How far a generation has been listed. */
export interface ListingState {
  /** Where the listing goes on, in the provider's own words; null: at its beginning. */
  readonly cursor: string | null;
  /** Everything was listed. */
  readonly complete: boolean;
  /**
   * The provider's own mark for the next job, such as a change token: kept from one complete listing to the next.
   * Absent or null: none.
   */
  readonly mark?: string | null;
}

export interface KnownItem {
  /** This generation has visited it already: another attempt of the job, or a second entry of the same name. */
  readonly seen: boolean;
  /** Tells the version that was read last from a newer one; null: none was read, or it is not trusted. */
  readonly fingerprint: string | null;
  /** The visit after that success failed: the item must be read afresh for its document to be well again. */
  readonly failed: boolean;
  /** The visit that found this fingerprint left the item out, and why; null: it did not. */
  readonly skipped: { readonly code: string; readonly message: string } | null;
}

/** `row_failed`: a row of an item, which is no item itself: it is listed as an error, and not counted. */
export type ItemOutcome = 'indexed' | 'unchanged' | 'skipped' | 'failed' | 'gone' | 'row_failed';

export interface VisitedItem {
  readonly locator: string;
  readonly outcome: ItemOutcome;
  /** Null: the visit met no document. */
  readonly sourceId: string | null;
  /**
   * Of an item that was indexed with nothing missing, or found unchanged. Null: the next job reads the item again. After
   * a failure it does so anyhow, and the fingerprint of the last success stays.
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

/** The items that a listing of changes did not name. */
export interface TouchedRest {
  /** Locators that exist no more. */
  readonly except: ReadonlySet<string>;
  /** See `ListingState`. */
  readonly mark: string | null;
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

/** Items are named by locators of at most 2,000 characters, unique within their data source. */
export interface ItemStore {
  /** The state of this generation's listing; of other generations only the mark counts. */
  readonly listing: (run: ItemRun) => Promise<ListingState>;
  /** Unknown locators are absent from the result. */
  readonly known: (run: ItemRun, locators: readonly string[]) => Promise<ReadonlyMap<string, KnownItem>>;
  /**
   * Records visits, each item once, and the state of the listing where given: both or neither. An item that is gone is
   * forgotten.
   */
  readonly commit: (run: ItemRun, visited: readonly VisitedItem[], listing?: ListingState) => Promise<void>;
  /**
   * Records every item as visited by this generation and unchanged, and the listing as complete: all or nothing. False,
   * and nothing is done, where an item has to be visited: it failed, is not trusted, was visited since the mark was
   * left, or not by the job that left it. @param at Unix milliseconds
   */
  readonly touchAll: (run: ItemRun, at: number) => Promise<boolean>;
  /**
   * Locators that this generation has not visited and has to, in their order, up to `limit`: items that failed, were
   * read with something missing, or are not trusted any more.
   */
  readonly pending: (run: ItemRun, except: ReadonlySet<string>, limit: number) => Promise<readonly string[]>;
  /**
   * Records every item that was there when the mark was left and that this generation has not visited as visited and
   * unchanged, all but `except`, and the listing as complete: all or nothing. False, and nothing is done, where one of
   * them is pending. @param at Unix milliseconds
   */
  readonly touchRest: (run: ItemRun, rest: TouchedRest, at: number) => Promise<boolean>;
  /** Notes a sign of life of an executor outside this service. @param at Unix milliseconds, returned by `lastHeartbeat` */
  readonly recordHeartbeat: (run: ItemRun, at: number) => Promise<void>;
  /** Time of the last sign of life; 0: none. */
  readonly lastHeartbeat: (dataSourceId: string) => Promise<number>;
  readonly counts: (run: ItemRun) => Promise<JobCounts>;
  /** Sources of earlier generations that this one did not visit, in the order of their locators, up to `limit`. */
  readonly unseen: (run: ItemRun, limit: number) => Promise<readonly ItemOfSource[]>;
  /**
   * Ids of sources in the catalog without a known item, in their order from `after` on, up to `limit`: a worker died
   * between a document and its item, or the item store was lost.
   */
  readonly orphans: (run: ItemRun, after: string | null, limit: number) => Promise<readonly string[]>;
  /** Forgets items, once their sources are removed. */
  readonly forget: (run: ItemRun, locators: readonly string[]) => Promise<void>;
  /** Forgets the visits of earlier generations to a document, so that the next job reads its item afresh. */
  readonly forgetDocument: (run: Omit<ItemRun, 'judgedSince'>, sourceId: string) => Promise<void>;
  /** Forgets errors in rows of this item, before a new version of it is recorded. */
  readonly forgetRows: (run: ItemRun, locator: string) => Promise<void>;
  /** Forgets the data source. */
  readonly purge: (dataSourceId: string) => Promise<void>;
  /**
   * Items of the newest generation that failed, or were indexed with something missing (a code), by locator. `after` is
   * a locator. @throws DomainError invalid_cursor
   */
  readonly errors: (dataSourceId: string, page: PageRequest) => Promise<Page<ItemError>>;
}
