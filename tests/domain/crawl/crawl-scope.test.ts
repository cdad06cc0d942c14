import { describe, expect, it } from 'vitest';
import { admit, type CrawlScope, maxAdmitted, maxVisits } from '../../../domain/crawl/crawl-scope.ts';
import { titleOfFetchFailure } from '../../../domain/crawl/fetch-failure.ts';

const scope: CrawlScope = {
  start: new URL('https://example.com/docs/'),
  maxDepth: 2,
  maxFiles: 10,
  passesPath: () => true,
  fileExtensions: [],
};

const verdict = (url: string, rules: Partial<CrawlScope> = {}, depth = 1, admittedSoFar = 1): string => {
  const admission = admit({ ...scope, ...rules }, new URL(url), depth, admittedSoFar);
  return admission.admitted ? admission.purpose : admission.reason;
};

describe('admit', () => {
  it('visits pages up to the depth bound, the start page having depth 0', () => {
    expect(verdict('https://example.com/a', {}, 2)).toBe('index');
    expect(verdict('https://example.com/a', {}, 3)).toBe('too_deep');
  });

  it('stays on the site', () => {
    expect(verdict('http://www.example.com/a')).toBe('index');
    expect(verdict('https://other.example/a')).toBe('other_site');
  });

  it('admits no more URLs than max_num_files', () => {
    expect(verdict('https://example.com/a', {}, 1, 9)).toBe('index');
    expect(verdict('https://example.com/a', {}, 1, 10)).toBe('file_limit_reached');
  });

  it('visits a filtered start page for its links only, and no other filtered page', () => {
    const rules = { passesPath: (path: string) => path.startsWith('/docs/guide/') };
    expect(verdict('https://example.com/docs/', rules, 0, 0)).toBe('links_only');
    expect(verdict('https://example.com/docs/guide/a', rules)).toBe('index');
    expect(verdict('https://example.com/blog', rules)).toBe('path_filtered');
  });

  it.each([
    ['/a.pdf', 'index'],
    ['/A.PDF', 'index'],
    ['/a.zip', 'extension_not_listed'],
    ['/folder/', 'links_only'],
    ['/page', 'links_only'],
    ['/v1.2', 'links_only'],
    ['/index.html', 'links_only'],
    ['/view.php', 'links_only'],
    ['/a.htm', 'links_only'],
    ['/a.xhtml', 'links_only'],
    ['/a.asp', 'links_only'],
    ['/a.aspx', 'links_only'],
    ['/a.jsp', 'links_only'],
    ['/a.7z', 'extension_not_listed'],
    ['/a.mp4', 'extension_not_listed'],
    ['/a.b.zip', 'extension_not_listed'],
    ['/a.zip/', 'links_only'],
    ['/a.zip-list', 'links_only'],
    ['/about.everything', 'links_only'],
  ])('with file_extensions .pdf treats %s as %s', (path, expected) => {
    expect(verdict(`https://example.com${path}`, { fileExtensions: ['.pdf'] })).toBe(expected);
  });

  it('indexes a file of any extension that is listed', () => {
    expect(verdict('https://example.com/a.pdf', { fileExtensions: ['.zip', '.pdf'] })).toBe('index');
  });

  it('counts pages without an extension as html', () => {
    expect(verdict('https://example.com/page', { fileExtensions: ['.HTML'] })).toBe('index');
    expect(verdict('https://example.com/page', { fileExtensions: ['.pdf', '.htm'] })).toBe('index');
    expect(verdict('https://example.com/a.pdf', { fileExtensions: ['.html'] })).toBe('extension_not_listed');
  });

  it('visits a start URL with an unlisted extension', () => {
    expect(verdict('https://example.com/feed.xml', { fileExtensions: ['.pdf'] }, 0, 0)).toBe('links_only');
  });

  it.each([
    ['/a/b/a/b/a/b/a/b', 'repeated_segments'],
    ['/a/a/a', 'index'],
    ['/x//x//x//x', 'repeated_segments'],
    ['/a////b', 'index'],
    [`/${Array.from({ length: 21 }, (_, index) => `s${index}`).join('/')}`, 'path_too_deep'],
    [`/${Array.from({ length: 20 }, (_, index) => `s${index}`).join('/')}`, 'index'],
    [`/?${Array.from({ length: 11 }, (_, index) => `p${index}=1`).join('&')}`, 'too_many_parameters'],
    [`/?${Array.from({ length: 10 }, (_, index) => `p${index}=1`).join('&')}`, 'index'],
  ])('judges the link trap %.60s as %s', (path, expected) => {
    expect(verdict(`https://example.com${path}`)).toBe(expected);
  });

  it('visits a start URL that looks like a trap', () => {
    expect(verdict('https://example.com/a/a/a/a', {}, 0, 0)).toBe('index');
  });
});

describe('the bounds of a crawl', () => {
  it('are a thousand pages and twenty for each document, and ten links for each page', () => {
    expect([0, 1, 100].map(maxVisits)).toEqual([1_000, 1_020, 3_000]);
    expect([0, 1, 100].map(maxAdmitted)).toEqual([10_000, 10_200, 30_000]);
  });
});

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
