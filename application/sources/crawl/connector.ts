import type { CrawlParameters } from '../../../domain/ingestion-setting/index.ts';
import type { Connector } from '../ingestion/connector.ts';
import { checkCrawlParameters } from './check-parameters.ts';
import type { CrawlDeps } from './crawl-deps.ts';
import { runCrawl } from './run-crawl.ts';
import { pagesToSync } from './pages-to-sync.ts';

/** Web crawls: a unit is a page, found by links and sitemaps, in a durable frontier. */
export const createCrawlConnector = (deps: CrawlDeps): Connector<CrawlParameters> => ({
  kind: 'crawl',
  sourceType: 'crawl',
  // By these it is decided whether a page is stored, from what the server answers: a page that has not changed, too.
  judging: ['contentPattern', 'htmlOnly', 'noCanonicalCheck', 'useBrowser'],
  check: (parameters) => checkCrawlParameters(deps, parameters),
  subjectOf: ({ startUrl }) => ({ kind: 'crawl', startUrl }),
  unitsToSync: (of, urls) => pagesToSync(deps, of, urls),
  run: (ingestion, signal) => runCrawl(deps, ingestion, signal),
  errors: deps.frontier.errors,
  blocked: deps.frontier.robotsBlocked,
  forgetDocument: deps.frontier.forgetDocument,
  forget: deps.frontier.purge,
});
