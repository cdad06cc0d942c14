import type { JobCounts } from '../../domain/data-source/index.ts';
import type { Page, PageRequest } from './page.ts';

/** What is known of the units that providers list (files, wiki pages): which were looked at, and what was found. */

/** One generation of a data source: what one job, and each of its attempts, looks at. */
export interface UnitRun {
  readonly dataSourceId: string;
  readonly generation: number;
  /** Unix milliseconds: what was found before is not trusted, because units are judged in another way since. 0: all is. */
  readonly judgedSince: number;
}

/** How far a generation has been listed. */
export interface ListingState {
  /** Where the listing goes on, in the provider's own words; null: at its beginning. */
  readonly cursor: string | null;
  /** Everything was listed. */
  readonly complete: boolean;
  /**
   * What the provider asked to be told when the next job begins: kept from one complete listing to the next. Absent or
   * null: nothing.
   */
  readonly mark?: string | null;
}

export interface KnownUnit {
  /** This generation has looked at it already: another attempt of the job, or a second entry of the same name. */
  readonly seen: boolean;
  /** By which the version that was read last is told from a newer one; null: none was, or that is not trusted. */
  readonly fingerprint: string | null;
  /** The visit after that success failed: the unit must be read afresh for its document to be well again. */
  readonly failed: boolean;
  /** The visit that found this fingerprint left the unit out, and why; null: it did not. */
  readonly skipped: { readonly code: string; readonly message: string } | null;
}

/** `row_failed`: a row of a unit, which is no unit itself: it is listed as an error, and not counted. */
export type UnitOutcome = 'indexed' | 'unchanged' | 'skipped' | 'failed' | 'gone' | 'row_failed';

export interface VisitedUnit {
  readonly locator: string;
  readonly outcome: UnitOutcome;
  /** Null: the visit met no document. */
  readonly sourceId: string | null;
  /**
   * Of what was indexed with nothing missing, or found unchanged. Null: the next job reads the unit again. After a failure
   * it does so anyhow, and the fingerprint of the last success stays.
   */
  readonly fingerprint: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly attempt: number;
}

export interface UnitOfSource {
  readonly locator: string;
  readonly sourceId: string;
}

/** What a listing of changes says of the units that it did not name. */
export interface CarriedRest {
  /** They are there no more. */
  readonly except: ReadonlySet<string>;
  /** See `ListingState`. */
  readonly mark: string | null;
}

/** Units are named by locators of at most 2,000 characters, unique within their data source. */
export interface UnitLedger {
  /** Where this generation stands; of other generations the mark alone counts. */
  readonly listing: (run: UnitRun) => Promise<ListingState>;
  /** What is known of these; those of which nothing is known are absent. */
  readonly known: (run: UnitRun, locators: readonly string[]) => Promise<ReadonlyMap<string, KnownUnit>>;
  /**
   * Records visits, each unit once, and how far the listing has come where it moved: both or neither. A unit that is
   * gone is forgotten.
   */
  readonly commit: (run: UnitRun, visited: readonly VisitedUnit[], listing?: ListingState) => Promise<void>;
  /**
   * Takes every unit for seen by this generation and unchanged, and its listing for complete: all or nothing. False, and
   * nothing is done, where a unit has to be looked at: one that failed, one that is not trusted, one that was looked at
   * since the mark was left, or not by the job that left it. @param at Unix milliseconds
   */
  readonly carryOver: (run: UnitRun, at: number) => Promise<boolean>;
  /**
   * Locators that this generation has not looked at and has to, in their order, up to `limit`: those that failed, were
   * read with something missing, or are not trusted any more.
   */
  readonly owed: (run: UnitRun, except: ReadonlySet<string>, limit: number) => Promise<readonly string[]>;
  /**
   * Takes every unit that was there when the mark was left, and that this generation has not looked at, for seen and
   * unchanged, all but `except`, and its listing for complete: all or nothing. False, and nothing is done, where one of
   * them is owed. @param at Unix milliseconds
   */
  readonly carryRest: (run: UnitRun, rest: CarriedRest, at: number) => Promise<boolean>;
  /** Notes that whoever does the job outside of this service was heard of. `at`: Unix milliseconds, as answered below. */
  readonly heard: (run: UnitRun, at: number) => Promise<void>;
  /** When it was last heard of; 0: it never was. */
  readonly heardAt: (dataSourceId: string) => Promise<number>;
  readonly counts: (run: UnitRun) => Promise<JobCounts>;
  /** Sources of earlier generations that this one did not come by, in the order of their locators, up to `limit`. */
  readonly unseen: (run: UnitRun, limit: number) => Promise<readonly UnitOfSource[]>;
  /**
   * Ids of sources that the catalog has and no unit is known of, in their order from `after` on, up to `limit`: a worker
   * died between a document and its unit, or the ledger was lost.
   */
  readonly strays: (run: UnitRun, after: string | null, limit: number) => Promise<readonly string[]>;
  /** Forgets units, once their sources are removed. */
  readonly forget: (run: UnitRun, locators: readonly string[]) => Promise<void>;
  /** Forgets what generations before this one know of a document, so that the next job reads its unit afresh. */
  readonly forgetDocument: (run: Omit<UnitRun, 'judgedSince'>, sourceId: string) => Promise<void>;
  /** Forgets what was wrong with rows of this unit: it comes in another version. */
  readonly forgetRows: (run: UnitRun, locator: string) => Promise<void>;
  /** Forgets the data source. */
  readonly purge: (dataSourceId: string) => Promise<void>;
  /** Units of the newest generation that failed, or were indexed with something missing (a code), by locator. `after` is a locator. @throws DomainError invalid_cursor */
  readonly errors: (dataSourceId: string, page: PageRequest) => Promise<Page<UnitError>>;
}

/** A unit of a data source (a page, a file) that could not be read. */
export interface UnitError {
  readonly locator: string;
  readonly code: string;
  readonly message: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly attempt: number;
}
