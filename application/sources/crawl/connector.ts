import type { CrawlParameters } from '../../../domain/ingestion-setting/index.ts';
import type { Connector } from '../ingestion/connector.ts';
import type { CrawlDeps } from './crawl-deps.ts';
import { type Spellings, openSpellings } from './spellings.ts';
import { runCrawl } from './run-crawl.ts';
import {
  type AdmissionRefusal,
  type CrawlScope,
  admit,
  parseCrawlUrl,
  describeUrlRefusal,
} from '../../../domain/crawl/crawl-scope.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { requireBrowser } from '../require-browser.ts';

/**
 * The pages of a crawl that a sync visits, without duplicates. Each must be in the scope of the crawl, whether or not
 * it is known.
 *
 * @throws DomainError invalid_request, naming the first page out of scope
 */
export const pagesToSync = async (
  deps: Pick<CrawlDeps, 'frontier' | 'patterns'>,
  { dataSourceId, parameters }: { readonly dataSourceId: string; readonly parameters: CrawlParameters },
  urls: readonly string[],
): Promise<readonly string[]> => {
  const start = new URL(parameters.startUrl);
  const redirected = await deps.frontier.lastRedirectOf(dataSourceId, start.href);
  const scope: CrawlScope = {
    start: redirected === null ? start : new URL(redirected),
    maxDepth: parameters.maxDepth,
    maxFiles: parameters.maxNumFiles,
    passesPath: deps.patterns.pathFilter(parameters.pathFilters),
    fileExtensions: parameters.fileExtensions,
  };
  const spellings = await openSpellings(deps.frontier, dataSourceId, { ...parameters, startUrl: start.href });
  return [...new Set(urls.map((url, i) => pageOf(scope, spellings, url, i)))];
};

const pageOf = (scope: CrawlScope, spellings: Spellings, text: string, i: number): string => {
  const read = parseCrawlUrl(text);
  const parsed = read.ok ? { ...read, url: spellings.of(read.url) } : read;
  const depth = parsed.ok && parsed.url.href === scope.start.href ? 0 : 1;
  const admission = parsed.ok
    ? admit(scope, parsed.url, depth, 0)
    : { admitted: false as const, reason: parsed.reason };
  if (parsed.ok && admission.admitted) return parsed.url.href;
  const why = admission.admitted ? '' : IN_WORDS[admission.reason];
  throw new DomainError('invalid_request', `urls[${i}] is not a page of this crawl: ${why}`);
};

const IN_WORDS: { readonly [reason in AdmissionRefusal]: string } = {
  malformed: 'it is not a URL',
  scheme_not_allowed: 'it is neither http nor https',
  credentials_in_url: 'it has a user name or a password',
  url_too_long: 'it has more than 2000 characters',
  other_site: 'it is on another site than the start URL',
  too_deep: 'it is too deep',
  file_limit_reached: 'max_num_files is reached',
  path_filtered: 'path_filters exclude it',
  extension_not_listed: 'file_extensions does not list its extension',
  repeated_segments: 'its path repeats segments',
  path_too_deep: 'its path has too many segments',
  too_many_parameters: 'it has too many parameters',
};

/**
 * Checks of crawl parameters beyond their schema.
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
      `start_url cannot be crawled: it is ${describeUrlRefusal(start.reason)}`,
    );
  }
  patterns.pathFilter(parameters.pathFilters);
  patterns.contentFilter(parameters.contentPattern);
};

/** Web crawls: an item is a page, found by links and sitemaps, in a durable frontier. */
export const createCrawlConnector = (deps: CrawlDeps): Connector<CrawlParameters> => ({
  kind: 'crawl',
  sourceType: 'crawl',
  // These parameters decide whether a fetched page is stored, even if the page has not changed.
  contentParameters: ['contentPattern', 'htmlOnly', 'noCanonicalCheck', 'useBrowser'],
  check: (parameters) => checkCrawlParameters(deps, parameters),
  subjectOf: ({ startUrl }) => ({ kind: 'crawl', startUrl }),
  itemsToSync: (of, urls) => pagesToSync(deps, of, urls),
  run: (ingestion, signal) => runCrawl(deps, ingestion, signal),
  errors: deps.frontier.errors,
  blocked: deps.frontier.robotsBlocked,
  forgetDocument: deps.frontier.forgetDocument,
  forget: deps.frontier.purge,
});
