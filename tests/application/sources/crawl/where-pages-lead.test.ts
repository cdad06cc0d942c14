import { describe, expect, it } from 'vitest';
import { patternCompiler } from '../../../../adapters/crawler/pattern-compiler.ts';
import type { CrawlDeps } from '../../../../application/sources/crawl/crawl-deps.ts';
import type { Fetched } from '../../../../application/sources/crawl/fetch-stage.ts';
import { pagesToSync } from '../../../../application/sources/crawl/connector.ts';
import { startOfSite } from '../../../../application/sources/crawl/visit-all.ts';
import { crawlParameters } from '../../../support/crawl-parameters.ts';
import { crawlOf, on, owed, START } from './crawls-in-memory.ts';

describe('the site of a crawl', () => {
  const fetched = (url: string, depth: number, outcome: object): Fetched =>
    ({ owed: owed('', { url, depth }), purpose: 'index', outcome }) as Fetched;
  const moved = 'https://new.example.com/home';

  it('is that to which its start URL leads', () => {
    const crawl = crawlOf();
    startOfSite(crawl, [fetched(START, 0, { kind: 'page', finalUrl: moved })]);
    expect(crawl.scope.start.href).toBe(moved);
    expect(crawl.scope.maxDepth).toBe(3);
  });
});

describe('pages that a sync shall look at', () => {
  const sync = async (urls: readonly string[], redirect: string | null = null, more = {}) => {
    const frontier = { lastRedirectOf: async () => redirect } as unknown as CrawlDeps['frontier'];
    const of = { dataSourceId: 'd', parameters: crawlParameters(more) };
    return pagesToSync({ frontier, patterns: patternCompiler }, of, urls).catch(
      ({ code, message }: { readonly code: string; readonly message: string }) => [code, message],
    );
  };

  it('lie on the site to which the start URL led last', async () => {
    const moved = 'https://new.example.org/';
    expect(await sync([`${moved}a`], moved)).toEqual([`${moved}a`]);
    expect(await sync([`${moved}a`])).toEqual([
      'invalid_request',
      'urls[0] is no page of this crawl: it lies on another site than the start URL',
    ]);
  });

  it.each([
    ['no url', 'it is no URL', {}],
    ['ftp://docs.example.com/', 'it is neither http nor https', {}],
    ['https://jo:pw@docs.example.com/', 'it has a user name or a password', {}],
    [on('x'.repeat(2_001)), 'it has more than 2000 characters', {}],
    [on('a'), 'it lies too deep', { maxDepth: 0 }],
    [on('a'), 'path_filters exclude it', { pathFilters: ['/docs/**'] }],
    [on('a.pdf'), 'file_extensions do not list it', { fileExtensions: ['.html'] }],
    [on('a'), 'max_num_files is reached', { maxNumFiles: 0 }],
    [on('a/b/'.repeat(4)), 'its path repeats itself', {}],
    [on(Array.from({ length: 60 }, (_, i) => i).join('/')), 'its path has too many segments', {}],
    [on(`?${Array.from({ length: 60 }, (_, i) => `p${i}=1`).join('&')}`), 'it has too many parameters', {}],
  ])('are refused with the first that is none: %s', async (url, why, more) => {
    expect(await sync([START, url], null, { maxDepth: 1, ...more })).toEqual([
      'invalid_request',
      why === 'max_num_files is reached'
        ? `urls[0] is no page of this crawl: ${why}`
        : `urls[1] is no page of this crawl: ${why}`,
    ]);
  });
});
