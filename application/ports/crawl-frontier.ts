import type { JobCounts } from '../../domain/data-source/index.ts';
import type { Page, PageRequest } from './page.ts';
import type { ItemError } from './item-store.ts';

/** The pages that a crawl knows: pending pages of this generation, and results of earlier generations. */

export interface CrawlRun {
  readonly dataSourceId: string;
  readonly generation: number;
  /**
   * Unix milliseconds. Visits before this time are not trusted, because the rules for pages changed then. 0 or absent:
   * all visits are trusted.
   */
  readonly rulesChangedAt?: number;
}

export interface PendingPage {
  readonly url: string;
  readonly depth: number;
  /** Where the page led at its last visit: links in scope, the target of its redirect, its canonical URL. */
  readonly links: readonly string[];
  /** The canonical URL led to no document: the page is stored under its own URL, whatever canonical URL it names. */
  readonly ignoresCanonical?: boolean;
  /** Validators from the last successful visit, for a conditional request; absent if the page was never indexed. */
  readonly known?: {
    readonly etag: string | null;
    readonly lastModified: string | null;
    readonly rawSha256: string;
    /** The visit after that success failed: the page must be read again to clear the error of its document. */
    readonly failed: boolean;
  };
}

export type VisitStatus = 'indexed' | 'unchanged' | 'skipped' | 'failed' | 'robots';

export interface VisitedPage {
  readonly url: string;
  readonly outcome: VisitStatus;
  /** Null: the visit found no document. */
  readonly sourceId: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly bytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly rawSha256: string | null;
  /** Of the text, as it is stored. */
  readonly textSha256: string | null;
  /** As in `PendingPage`. A failed or forbidden visit leaves the stored links unchanged. */
  readonly links: readonly string[];
  /** Unix milliseconds. */
  readonly at: number;
  readonly attempt: number;
}

export interface AdmittedPage {
  readonly url: string;
  readonly depth: number;
}

export interface PageOfSource {
  readonly url: string;
  readonly sourceId: string;
}

export interface CrawlFrontier {
  /** Admits pages to this generation. A page that the generation already knows is unchanged. */
  readonly admit: (run: CrawlRun, pages: readonly AdmittedPage[]) => Promise<void>;
  /** Admits every page for which an earlier generation has a source. */
  readonly admitKnown: (run: CrawlRun) => Promise<void>;
  /** Pending pages, ordered by depth and then by discovery; `except` lists pages in progress. */
  readonly pending: (
    run: CrawlRun,
    limit: number,
    except: readonly string[],
  ) => Promise<readonly PendingPage[]>;
  /**
   * Records visits and admits linked pages in one transaction. Returns the pages of `admitted` that are new to this
   * generation. It also records a page that was never admitted (the target of a redirect).
   */
  readonly commit: (
    run: CrawlRun,
    visited: readonly VisitedPage[],
    admitted: readonly AdmittedPage[],
  ) => Promise<readonly AdmittedPage[]>;
  /**
   * Requeues duplicates whose canonical URL led to no document in this generation (gone, refused, or naming the
   * duplicate in turn): one duplicate per canonical URL, to be stored under its own URL. Returns their number.
   */
  readonly requeueDuplicates: (run: CrawlRun) => Promise<number>;
  /** The redirect target of a page in this generation; null if it does not redirect. */
  readonly redirectOf: (run: CrawlRun, url: string) => Promise<string | null>;
  /** The redirect target of a page in the generation that visited it last. */
  readonly lastRedirectOf: (dataSourceId: string, url: string) => Promise<string | null>;
  /** URLs of all documents, in order. */
  readonly documents: (dataSourceId: string) => Promise<readonly string[]>;
  /**
   * Which of `urls` are documents, and the hash of the text that each was last read to have. Of documents that were
   * stored without it, the hash of their bytes.
   */
  readonly documentsAt: (
    dataSourceId: string,
    urls: readonly string[],
  ) => Promise<readonly { readonly url: string; readonly sha256: string }[]>;
  readonly counts: (run: CrawlRun) => Promise<JobCounts>;
  /** Number of pages whose visit failed in this generation, without those that are gone. */
  readonly lost: (run: CrawlRun) => Promise<number>;
  /** Number of pages that this generation has admitted, visited or not. */
  readonly admitted: (run: CrawlRun) => Promise<number>;
  /**
   * Sources of earlier generations that this generation did not see, up to `limit`. With `pass` partial, only sources
   * whose page this generation visited and found to be no document any more.
   */
  readonly unseen: (
    run: CrawlRun,
    pass: 'complete' | 'partial',
    limit: number,
  ) => Promise<readonly PageOfSource[]>;
  /** Unseen sources in excess of `most`, longest unseen first, up to `limit`. */
  readonly surplus: (run: CrawlRun, most: number, limit: number) => Promise<readonly PageOfSource[]>;
  /**
   * Ids of sources in the catalog without a known page, in order after `after`, up to `limit`. Such sources exist if
   * the table of pages was lost, or if a worker died between writing a document and its page. Empty while a page fails
   * that was once readable, because its redirect target is unknown. Call it only after a complete pass.
   */
  readonly orphans: (run: CrawlRun, after: string | null, limit: number) => Promise<readonly string[]>;
  /** Detaches removed sources from their pages, and deletes the pages that this generation has not seen. */
  readonly forget: (run: CrawlRun, urls: readonly string[]) => Promise<void>;
  /**
   * Deletes what jobs before this generation know about a document, so that the next job reads its page again. The page
   * itself stays.
   */
  readonly forgetDocument: (run: CrawlRun, sourceId: string) => Promise<void>;
  /** Deletes all pages of the data source. */
  readonly purge: (dataSourceId: string) => Promise<void>;
  /** Pages of the newest generation that failed, by URL. `after` is a URL. @throws DomainError invalid_cursor */
  readonly errors: (dataSourceId: string, page: PageRequest) => Promise<Page<ItemError>>;
  /** URLs that robots.txt disallowed in the newest generation, up to `limit`. */
  readonly robotsBlocked: (dataSourceId: string, limit: number) => Promise<readonly string[]>;
}
