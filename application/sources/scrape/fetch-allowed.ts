import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { FetchedPage, PageFetcher, RobotsPolicy } from '../../ports/page-fetcher.ts';
import { PageNotHad, refusalFor } from './page-not-had.ts';

export interface FetchAllowedDeps {
  readonly pages: PageFetcher;
  /** One policy for each page: what a site allows is asked for anew. */
  readonly robots: () => RobotsPolicy;
}

/**
 * An HTML page that its site lets robots fetch, wherever its redirects lead.
 *
 * @throws DomainError url_not_allowed, unsupported_file_type; PageNotHad; the reason of `signal`
 */
export const fetchAllowed = async (
  { pages, robots }: FetchAllowedDeps,
  { url, useBrowser }: { readonly url: string; readonly useBrowser: boolean },
  signal: AbortSignal,
): Promise<FetchedPage> => {
  const policy = robots();
  await mustBeAllowed(policy, url, signal);
  let refusal: unknown;
  const mayFollow = async (target: string): Promise<boolean> => {
    refusal = await mustBeAllowed(policy, target, signal).then(
      () => undefined,
      (error: unknown) => error,
    );
    return refusal === undefined;
  };
  const outcome = await pages.fetchPage({ url, accept: 'html', mayFollow, useBrowser }, signal);
  switch (outcome.kind) {
    case 'page':
      return outcome;
    case 'redirected_out':
      throw refusal;
    case 'skipped':
      if (outcome.reason === 'no_content') throw new PageNotHad('the page has no content (204)', false);
      throw new DomainError(
        'unsupported_file_type',
        `only HTML can be scraped, and this is ${outcome.mediaType === '' ? 'something else' : outcome.mediaType}`,
      );
    case 'not_modified':
      throw new Error('a page without validators was not modified');
    case 'failed':
      throw refusalFor(outcome.code, `the page cannot be fetched: ${outcome.message}`);
  }
};

const mustBeAllowed = async (policy: RobotsPolicy, url: string, signal: AbortSignal): Promise<void> => {
  const verdict = await policy.check(url, signal);
  if (verdict.allowed) return;
  if (verdict.reason === 'unreachable') throw refusalFor(verdict.code, verdict.message);
  throw new DomainError('url_not_allowed', `robots.txt of its site disallows ${url}`);
};
