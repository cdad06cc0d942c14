import type { JobCounts } from '../../domain/data-source/index.ts';
import type { Page, PageRequest } from './page.ts';
import type { ItemError } from './item-store.ts';

/** The pages that a crawl knows: pending work in this generation, and what earlier generations found. */

export interface CrawlRun {
  readonly dataSourceId: string;
  readonly generation: number;
  /**
   * Unix milliseconds: what was known before is not trusted, because pages are judged in another way since. 0 or absent:
   * all is.
   */
  readonly judgedSince?: number;
}

export interface PendingPage {
  readonly url: string;
  readonly depth: number;
  /** Where it led when it was read last: links in scope, the target of its redirect, its canonical URL. */
  readonly links: readonly string[];
  /** Its canonical URL led to nothing: the page is stored as itself, whatever it names. */
  readonly standsAlone?: boolean;
  /** What the last success said, for a conditional request; absent when the page was never indexed. */
  readonly known?: {
    readonly etag: string | null;
    readonly lastModified: string | null;
    readonly rawSha256: string;
    /** The visit after that success failed: the page must be read afresh for its document to be well again. */
    readonly failed: boolean;
  };
}

export type VisitStatus = 'indexed' | 'unchanged' | 'skipped' | 'failed' | 'robots';

export interface VisitedPage {
  readonly url: string;
  readonly outcome: VisitStatus;
  /** Null: the visit met no document. */
  readonly sourceId: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly bytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly rawSha256: string | null;
  /** As in `PendingPage`. A visit that failed, or was forbidden, leaves those that are known. */
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
  /** Admits pages to this generation; one that the generation knows already stays as it is. */
  readonly admit: (run: CrawlRun, pages: readonly AdmittedPage[]) => Promise<void>;
  /** Admits every page of which an earlier generation has a source. */
  readonly admitKnown: (run: CrawlRun) => Promise<void>;
  /** Owed pages, nearest to the start first, then in the order of their discovery; `except` are in hand already. */
  readonly pending: (
    run: CrawlRun,
    limit: number,
    except: readonly string[],
  ) => Promise<readonly PendingPage[]>;
  /**
   * Records visits and admits what they link to, in one transaction. Returns those of `admitted` that are new to this
   * generation. A page that was never admitted (the target of a redirect) is recorded too.
   */
  readonly commit: (
    run: CrawlRun,
    visited: readonly VisitedPage[],
    admitted: readonly AdmittedPage[],
  ) => Promise<readonly AdmittedPage[]>;
  /**
   * Owes the duplicates again whose canonical URL led to nothing in this generation (gone, refused, or naming them in
   * turn): one for each such URL, to stand alone. Answers how many.
   */
  readonly returnDuplicates: (run: CrawlRun) => Promise<number>;
  /** Where a page of this generation was found to redirect to; null when it was not. */
  readonly redirectOf: (run: CrawlRun, url: string) => Promise<string | null>;
  /** The same by whichever generation has visited it last. */
  readonly lastRedirectOf: (dataSourceId: string, url: string) => Promise<string | null>;
  readonly counts: (run: CrawlRun) => Promise<JobCounts>;
  /** How many pages this generation has admitted, visited or not. */
  readonly admitted: (run: CrawlRun) => Promise<number>;
  /**
   * Sources of earlier generations that this one did not see, up to `limit`. With `pass` cut: only those whose page it
   * visited, and found to be no document any more.
   */
  readonly unseen: (run: CrawlRun, pass: 'whole' | 'cut', limit: number) => Promise<readonly PageOfSource[]>;
  /** Sources that this generation did not see and that are more than `most` allows, longest unseen first, up to `limit`. */
  readonly surplus: (run: CrawlRun, most: number, limit: number) => Promise<readonly PageOfSource[]>;
  /**
   * Ids of sources that the catalog has and no page is known of, in their order from `after` on, up to `limit`: the
   * table of pages was lost, or a worker died between a document and its page. None while a page fails that once could
   * be read, because where it led is not known any more. Asked after a pass that looked at everything.
   */
  readonly orphans: (run: CrawlRun, after: string | null, limit: number) => Promise<readonly string[]>;
  /** Forgets the sources of pages, after they were removed, and the pages themselves where this generation has not met them. */
  readonly forget: (run: CrawlRun, urls: readonly string[]) => Promise<void>;
  /**
   * Forgets what is known of a document by jobs before this generation, so that the next job reads its page afresh;
   * the page itself stays.
   */
  readonly forgetDocument: (run: CrawlRun, sourceId: string) => Promise<void>;
  /** Forgets all pages of the data source. */
  readonly purge: (dataSourceId: string) => Promise<void>;
  /** Pages of the newest generation that failed, by URL. `after` is a URL. @throws DomainError invalid_cursor */
  readonly errors: (dataSourceId: string, page: PageRequest) => Promise<Page<ItemError>>;
  /** URLs of the newest generation that robots.txt refuses, up to `limit`. */
  readonly robotsBlocked: (dataSourceId: string, limit: number) => Promise<readonly string[]>;
}
