import type { Connectors } from '../../application/sources/ingestion/connector.ts';
import type { ListedSource } from '../../application/sources/ingestion/listed/listed-source.ts';
import type {
  CloudDriveParameters,
  RepoParameters,
  WikiParameters,
} from '../../domain/ingestion-setting/index.ts';
import type { PagesInBrowser } from '../../adapters/crawler/browser/browser.ts';
import type { CrawlFrontier } from '../../application/ports/crawl-frontier.ts';
import type { PageFetcher, RobotsPolicy, SitemapReader } from '../../application/ports/page-fetcher.ts';
import type { PatternCompiler } from '../../application/ports/compilers.ts';
import type { Recurrence } from '../../application/ports/recurrence.ts';
import type { UnitLedger } from '../../application/ports/item-store.ts';
import type { DocumentReader } from '../../application/ports/document-reader.ts';

/** What reaches out: connectors and what they are made of. */
export interface CrawlingServices {
  Connectors: Connectors;
  CrawlFrontier: CrawlFrontier;
  /** For connectors whose providers list their units. */
  UnitLedger: UnitLedger;
  RepositorySource: ListedSource<RepoParameters>;
  DriveSource: ListedSource<CloudDriveParameters>;
  WikiSource: ListedSource<WikiParameters>;

  PageFetcher: PageFetcher;
  Browser: PagesInBrowser;
  /** One policy per crawl. */
  RobotsPolicies: () => RobotsPolicy;
  SitemapReader: SitemapReader;
  PatternCompiler: PatternCompiler;
  DocumentReader: DocumentReader;
  Recurrence: Recurrence;
}
