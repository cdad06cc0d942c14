import { ContainerModule } from 'inversify';
import { productToken } from '../../adapters/crawler/robots-directives.ts';
import { scratchFiles } from '../../adapters/storage/disk/scratch-files.ts';
import { createScrape } from '../../application/sources/scrape/scrape.ts';
import type { Config } from '../config.ts';
import { TOKENS as T } from '../tokens.ts';
import { providing } from '../wiring.ts';

/** For one page with its robots.txt and all redirects: longer, nobody waits for an answer. */
const LIMIT_MS = 60_000;

/** Single pages, read as a crawl reads them. */
export const scrapingModule = ({ crawl }: Pick<Config, 'crawl'>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const provide = providing(bind);
    provide(
      T.Scrape,
      createScrape,
      {
        pages: T.PageFetcher,
        robots: T.RobotsPolicies,
        browser: T.Browser,
        extractor: T.DocumentReader,
        redaction: T.PoliciesInForce,
      },
      {
        scratch: scratchFiles,
        robotName: productToken(crawl.userAgent),
        limit: () => AbortSignal.timeout(LIMIT_MS),
      },
    );
  });
