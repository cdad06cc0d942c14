import type { CrawlScope } from '../../domain/crawl/crawl-scope.ts';
import type { CrawlParameters } from '../../domain/ingestion-setting/index.ts';
import type { ChunkSet } from '../content/chunk-set.ts';
import type { RetryingExecute } from '../execute.ts';
import type { CrawlFrontier, CrawlRun } from '../ports/crawl-frontier.ts';
import type { Position } from '../ports/event-store.ts';
import type { FileAreas } from '../ports/file-areas.ts';
import type { Clock, Hash } from '../ports/identity.ts';
import type { Logger } from '../ports/logger.ts';
import type { PageFetcher } from '../ports/page-fetcher.ts';
import type { PatternCompiler } from '../ports/pattern-compiler.ts';
import type { PurgeCatalog } from '../ports/purge-catalog.ts';
import type { ReadGate } from '../ports/read-gate.ts';
import type { RobotsPolicy } from '../ports/robots-policy.ts';
import type { SitemapReader } from '../ports/sitemap-reader.ts';
import type { TextExtractor } from '../ports/text-extractor.ts';
import type { PoliciesInForce } from '../redaction/policies-in-force.ts';
import type { Job } from '../ingestion/job.ts';

export interface CrawlDeps {
  readonly execute: RetryingExecute;
  readonly frontier: CrawlFrontier;
  readonly files: FileAreas;
  readonly fetcher: PageFetcher;
  /** One policy per crawl. */
  readonly robots: () => RobotsPolicy;
  readonly sitemaps: SitemapReader;
  readonly patterns: PatternCompiler;
  readonly extractor: TextExtractor;
  readonly writeChunkSet: (chunkSet: ChunkSet) => string;
  readonly catalog: PurgeCatalog;
  readonly gate: ReadGate;
  readonly clock: Clock;
  readonly hash: Hash;
  readonly redaction: PoliciesInForce;
  readonly log: Logger;
  /** Lower-case name by which robots.txt and pages address this robot. */
  readonly robotName: string;
  /** Pages of one job that are fetched at once. */
  readonly fetches: number;
}

/** One crawl under way. */
export interface Crawl {
  readonly job: Job;
  readonly run: CrawlRun;
  readonly parameters: CrawlParameters;
  readonly robots: RobotsPolicy;
  readonly passesContent: (text: string) => boolean;
  /** False: the job looks at the pages that it was told, and at what they stand for, and goes nowhere from there. */
  readonly followsLinks: boolean;
  /** Its start moves when the start URL redirects to another site. */
  scope: CrawlScope;
  /** Position of the newest fact that this run has written about a document. */
  written: Position;
}
