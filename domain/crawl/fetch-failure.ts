import type { JobErrorTitle } from '../data-source/index.ts';

/** Why a page could not be fetched. */
export type FetchFailureCode =
  | 'url_not_allowed'
  | 'address_not_allowed'
  | 'dns_failed'
  | 'connect_failed'
  | 'tls_failed'
  | 'connection_lost'
  | 'bad_response'
  | 'http_status'
  | 'redirect_loop'
  | 'too_many_redirects'
  | 'redirect_not_allowed'
  | 'timed_out'
  | 'too_slow'
  | 'too_large'
  | 'headers_too_large'
  | 'content_coding_broken'
  /** The browser for scripts crashed or is not available. */
  | 'browser_failed'
  /** The scripts exceeded the memory limit of a page. */
  | 'out_of_memory';

/** The `error.title` of a crawl whose start URL could not be fetched. */
export const titleOfFetchFailure = (code: FetchFailureCode): JobErrorTitle => {
  switch (code) {
    case 'url_not_allowed':
    case 'address_not_allowed':
    case 'redirect_not_allowed':
      return 'Address not allowed';
    case 'timed_out':
    case 'too_slow':
      return 'Timed out';
    case 'too_large':
    case 'headers_too_large':
      return 'Too large';
    case 'content_coding_broken':
    case 'out_of_memory':
      return 'Parser failed';
    case 'browser_failed':
      return 'Not supported here';
    case 'dns_failed':
    case 'connect_failed':
    case 'tls_failed':
    case 'connection_lost':
    case 'bad_response':
    case 'http_status':
    case 'redirect_loop':
    case 'too_many_redirects':
      return 'Start URL not reachable';
  }
};
