import type { CrawlScope } from '../../../domain/crawl/crawl-scope.ts';
import type { CrawlParameters } from '../../../domain/ingestion-setting/index.ts';
import type { Documents } from '../ingestion/documents.ts';
import type { Browser, SitemapReader, RobotsPolicy, PageFetcher } from '../../ports/page-fetcher.ts';
import type { CrawlFrontier, CrawlRun } from '../../ports/crawl-frontier.ts';
import type { Clock, Hash } from '../../ports/identity.ts';
import type { PatternCompiler } from '../../ports/compilers.ts';
import type { Spellings } from './spellings.ts';
import type { Job } from '../ingestion/job.ts';

export interface CrawlDeps {
  readonly frontier: CrawlFrontier;
  readonly fetcher: PageFetcher;
  readonly browser: Browser;
  /** One policy per crawl. `patienceMs`: as in `PageRequest`, of each robots.txt. */
  readonly robots: (patienceMs: number) => RobotsPolicy;
  readonly sitemaps: SitemapReader;
  readonly patterns: PatternCompiler;
  readonly clock: Clock;
  readonly hash: Hash;
  /** Lower-case name by which robots.txt and pages address this robot. */
  readonly robotName: string;
  /** Concurrent fetches per job. */
  readonly fetches: number;
  /** Waits, or returns early when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A running crawl. */
export interface Crawl {
  readonly job: Job;
  readonly documents: Documents;
  readonly run: CrawlRun;
  readonly parameters: CrawlParameters;
  readonly robots: RobotsPolicy;
  readonly spellings: Spellings;
  readonly passesContent: (text: string) => boolean;
  /** False: the job visits only the named pages and their canonical pages, and follows no links. */
  readonly followsLinks: boolean;
  /** The start changes when the start URL redirects to another site. */
  scope: CrawlScope;
}
