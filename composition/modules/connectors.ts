import { ContainerModule } from 'inversify';
import { productToken } from '../../adapters/crawler/robots-directives.ts';
import { createCrawlConnector } from '../../application/sources/crawl/connector.ts';
import { createLocalFilesConnector } from '../../application/sources/local-files/connector.ts';
import { createPushConnector } from '../../application/sources/push-connector/connector.ts';
import { createListedConnector } from '../../application/sources/ingestion/listed/listed-connector.ts';
import type { Config } from '../config.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** Where the bytes of a source are to be had: what is opened where nobody says where else. */
export const rawUrlOf = (sourceId: string): string => `/api/v1/sources/${sourceId}/raw`;

/** The connectors of this service, by the kind of their data sources. */
export const connectorsModule = ({ crawl }: Pick<Config, 'crawl'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    provide(
      T.Connectors,
      ({
        ledger,
        clock,
        hash,
        repositories,
        drives,
        wikis,
        robotName,
        fetches,
        files,
        execute,
        ...deps
      }) => ({
        crawl: createCrawlConnector({ ...deps, clock, hash, robotName, fetches }),
        repo: createListedConnector({ ledger, clock, hash }, repositories),
        cloud_drive: createListedConnector({ ledger, clock, hash }, drives),
        wiki: createListedConnector({ ledger, clock, hash }, wikis),
        local_file_group: createLocalFilesConnector(
          { execute, files, hash, urlOf: rawUrlOf },
          { ledger, clock, hash },
        ),
        push: createPushConnector(ledger),
      }),
      {
        ledger: T.UnitLedger,
        repositories: T.RepositorySource,
        drives: T.DriveSource,
        wikis: T.WikiSource,
        frontier: T.CrawlFrontier,
        fetcher: T.PageFetcher,
        browser: T.Browser,
        robots: T.RobotsPolicies,
        sitemaps: T.SitemapReader,
        patterns: T.PatternCompiler,
        files: T.FileAreas,
        execute: T.RetryingExecute,
        clock: T.Clock,
        hash: T.Hash,
      },
      { robotName: productToken(crawl.userAgent), fetches: crawl.concurrency },
    );
  });
