import { describe, expect, it } from 'vitest';
import { titleOfFetchFailure } from '../../../domain/crawl/fetch-failure.ts';

describe('titleOfFetchFailure', () => {
  it.each([
    ['address_not_allowed', 'Address not allowed'],
    ['url_not_allowed', 'Address not allowed'],
    ['redirect_not_allowed', 'Address not allowed'],
    ['timed_out', 'Timed out'],
    ['too_slow', 'Timed out'],
    ['too_large', 'Too large'],
    ['headers_too_large', 'Too large'],
    ['content_coding_broken', 'Parser failed'],
    ['out_of_memory', 'Parser failed'],
    ['browser_failed', 'Not supported here'],
    ['http_status', 'Start URL not reachable'],
    ['dns_failed', 'Start URL not reachable'],
    ['connection_lost', 'Start URL not reachable'],
    ['connect_failed', 'Start URL not reachable'],
    ['tls_failed', 'Start URL not reachable'],
    ['bad_response', 'Start URL not reachable'],
    ['redirect_loop', 'Start URL not reachable'],
    ['too_many_redirects', 'Start URL not reachable'],
  ] as const)('names %s as %s', (code, title) => {
    expect(titleOfFetchFailure(code)).toBe(title);
  });
});
