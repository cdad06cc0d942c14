import type { CrawlParameters } from '../../domain/ingestion-setting/index.ts';

/** Of a crawl without filters. What a test is about, it names itself. */
export const crawlParameters = (more: Partial<CrawlParameters> = {}): CrawlParameters => ({
  kind: 'crawl',
  startUrl: 'https://docs.example.com/',
  maxDepth: 3,
  maxNumFiles: 100,
  pathFilters: [],
  contentPattern: [],
  htmlOnly: false,
  useBrowser: false,
  noCanonicalCheck: false,
  fileExtensions: [],
  ...more,
});
