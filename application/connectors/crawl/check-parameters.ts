import { parseCrawlUrl, refusedUrlInWords } from '../../../domain/crawl/crawl-url.ts';
import type { CrawlParameters } from '../../../domain/ingestion-setting/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { PatternCompiler } from '../../ports/pattern-compiler.ts';

/**
 * What a schema cannot say of the parameters of a crawl.
 *
 * @throws DomainError invalid_request, pattern_invalid, not_configured
 */
export const checkCrawlParameters = (patterns: PatternCompiler, parameters: CrawlParameters): void => {
  if (parameters.useBrowser) {
    const message =
      'use_browser needs a headless browser, and none is set up here: leave it out or send false';
    throw new DomainError('not_configured', message);
  }
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
