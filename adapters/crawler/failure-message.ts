import { STATUS_CODES } from 'node:http';
import type { FetchFailureCode } from '../../domain/crawl/fetch-failure.ts';
import { messageOf } from './failure-of-error.ts';

/**
 * What an error of an exchange with `url` means, in a sentence for people. It does not repeat the URL: whoever lists it
 * does so beside the URL of the page.
 */
export const sentenceOfError = (code: FetchFailureCode, url: URL, error: unknown): string => {
  const detail = messageOf(error);
  const because = detail === '' ? '' : ` (${detail})`;
  switch (code) {
    case 'dns_failed':
      return `the host name ${url.hostname} could not be resolved${because}`;
    case 'connect_failed':
      return `no connection to ${url.host} could be made${because}`;
    case 'tls_failed':
      return `no secure connection to ${url.host} could be made${because}`;
    case 'connection_lost':
      return `the connection to ${url.host} broke off before the answer was complete${because}`;
    case 'bad_response':
      return `what ${url.host} answered is not valid HTTP${because}`;
    case 'timed_out':
      return `${url.host} did not answer in time${because}`;
    case 'too_slow':
      return `${url.host} sent its answer too slowly${because}`;
    case 'too_large':
      return `the answer is too large${because}`;
    case 'headers_too_large':
      return `the headers of the answer are too large${because}`;
    case 'content_coding_broken':
      return `the answer could not be decompressed${because}`;
    case 'address_not_allowed':
      return `the address may not be reached${because}`;
    case 'url_not_allowed':
    case 'browser_failed':
    case 'out_of_memory':
    case 'http_status':
    case 'redirect_loop':
    case 'too_many_redirects':
    case 'redirect_not_allowed':
      return `it could not be fetched${because}`;
  }
};

export const sentenceOfStatus = (status: number): string => {
  const name = STATUS_CODES[status];
  return name === undefined ? `the server answered ${status}` : `the server answered ${status} (${name})`;
};
