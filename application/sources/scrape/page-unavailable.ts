import type { FetchFailureCode } from '../../../domain/crawl/fetch-failure.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';

/** The site does not return the page. A retry may or may not help. */
export class PageUnavailable extends Error {
  override readonly name = 'PageUnavailable';
  /** True if the page took too long. */
  readonly late: boolean;
  constructor(message: string, late: boolean) {
    super(message);
    this.late = late;
  }
}

export const pageTimedOut = (): PageUnavailable => new PageUnavailable('the page took too long', true);

/** The error for a page that could not be fetched. `message` begins with its subject: the page, or robots.txt. */
export const refusalFor = (code: FetchFailureCode, message: string): Error => {
  switch (code) {
    case 'url_not_allowed':
    case 'address_not_allowed':
    case 'redirect_not_allowed':
      return new DomainError('url_not_allowed', message);
    case 'timed_out':
    case 'too_slow':
      return new PageUnavailable(message, true);
    case 'dns_failed':
    case 'connect_failed':
    case 'tls_failed':
    case 'connection_lost':
    case 'bad_response':
    case 'http_status':
    case 'redirect_loop':
    case 'too_many_redirects':
    case 'too_large':
    case 'headers_too_large':
    case 'content_coding_broken':
    case 'browser_failed':
    case 'out_of_memory':
      return new PageUnavailable(message, false);
  }
};
