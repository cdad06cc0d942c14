import { parseCrawlUrl, refusedUrlInWords } from '../../../domain/crawl/crawl-url.ts';
import type { CrawlParameters } from '../../../domain/ingestion-setting/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { requireBrowser } from '../require-browser.ts';
import type { CrawlDeps } from './crawl-deps.ts';

/**
 * What a schema cannot say of the parameters of a crawl.
 *
 * @throws DomainError invalid_request, pattern_invalid, not_configured
 */
export const checkCrawlParameters = (
  { patterns, browser }: Pick<CrawlDeps, 'patterns' | 'browser'>,
  parameters: CrawlParameters,
): void => {
  if (parameters.useBrowser) requireBrowser(browser);
  const start = parseCrawlUrl(parameters.startUrl);
  if (!start.ok) {
    throw new DomainError(
      'invalid_request',
      `start_url cannot be crawled: it is ${refusedUrlInWords(start.reason)}`,
    );
  }
  patterns.pathFilter(parameters.pathFilters);
  patterns.contentFilter(parameters.contentPattern);
};
