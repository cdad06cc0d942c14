import { sleep } from '../../../../adapters/system/timing.ts';
import { describe, expect, it } from 'vitest';
import { patternCompiler } from '../../../../adapters/crawler/pattern-compiler.ts';
import { createCrawlFrontier } from '../../../../adapters/postgres/work/crawl-frontier.ts';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { createCrawlConnector } from '../../../../application/sources/crawl/connector.ts';
import type { PageFetcher, FetchOutcome } from '../../../../application/ports/page-fetcher.ts';
import { crawlParameters } from '../../../support/crawl-parameters.ts';
import { dying } from '../../../support/dying.ts';
import { longScan } from '../../../adapters/extraction/corpus/long-scan.ts';
import { page } from '../../../support/site.ts';
import { connectorContract } from '../connectors/contract.ts';
import { namedItemsContract } from '../connectors/named-items-contract.ts';
import { type ConnectorUnderTest, type Provider, underTest } from '../connectors/under-test.ts';

const ANSWERED = {
  status: 200,
  mediaType: 'text/html',
  charset: 'utf-8',
  lastModified: null,
  robots: { noindex: false, nofollow: false },
};

/** Sites by their origin: what each address answers with. */
const sites = new Map<string, { readonly pages: Map<string, string | null>; asked: number }>();

/** As the crawler does it, from memory: pages have an entity tag, and one without a body cannot be had. */
const fetcher: PageFetcher = {
  fetchPage: async ({ url, etag: known }): Promise<FetchOutcome> => {
    const site = sites.get(new URL(url).origin)!;
    const text = site.pages.get(new URL(url).pathname);
    if (text === undefined) return failed(url, 404);
    if (text === null) return failed(url, 500);
    const etag = `"${sha256.sha256(text)}"`;
    if (etag === known) return { kind: 'not_modified', finalUrl: url };
    // The start is no item: it has nothing by which it could be known again.
    if (new URL(url).pathname !== '/') site.asked += 1;
    const body = new TextEncoder().encode(text);
    return { kind: 'page', finalUrl: url, ...ANSWERED, body, bytes: body.byteLength, etag };
  },
};
const failed = (finalUrl: string, status: number): FetchOutcome => ({
  kind: 'failed',
  finalUrl,
  code: 'http_status',
  message: `answered ${status}`,
  status,
  transient: false,
  retryAfterMs: null,
});

let opened = 0;

/** A site whose start leads to every page, and is no document itself: its name does not end as theirs do. */
const openProvider = async (): Promise<Provider> => {
  opened += 1;
  const origin = `https://site-${opened}.example`;
  const site = { pages: new Map<string, string | null>(), asked: 0 };
  sites.set(origin, site);
  const links = new Set<string>();
  const refresh = (): void => {
    const anchors = [...links].map((href) => `<a href="${href}"></a>`).join('');
    site.pages.set('/', `<title>Start</title>${anchors}`);
  };
  refresh();
  const put = (name: string, text: string | null): void => {
    site.pages.set(`/${name}.page`, text);
    links.add(`/${name}.page`);
    refresh();
  };
  return {
    parameters: crawlParameters({ startUrl: `${origin}/`, maxDepth: 2, fileExtensions: ['.page'] }),
    locatorOf: (name) => `${origin}/${name}.page`,
    put: (name, title) => put(name, page(title, `about ${name}`)),
    remove: (name) => {
      site.pages.delete(`/${name}.page`);
      links.delete(`/${name}.page`);
      refresh();
    },
    break: (name) => put(name, null),
    addOddNames: () => {
      for (const href of ['', `/${'x'.repeat(2_001)}.page`, '/one.page', '/one.page#again']) links.add(href);
      refresh();
    },
    fetched: () => site.asked,
  };
};

const crawl: ConnectorUnderTest = {
  connect: ({ database, clock, hash, steps }) => ({
    crawl: createCrawlConnector({
      browser: { missing: () => null },
      frontier: dying(createCrawlFrontier(database), steps, ['admit', 'admitKnown', 'commit', 'forget']),
      fetcher,
      robots: () => ({ check: async () => ({ allowed: true }), sitemaps: async () => [] }),
      sitemaps: { readSitemaps: async () => ({ urls: [], complete: true }) },
      patterns: patternCompiler,
      clock,
      hash,
      robotName: 'knowledger',
      fetches: 4,
      sleep,
    }),
  }),
  openProvider,
};

connectorContract('a crawl', crawl, 1);
namedItemsContract('a crawl', crawl);

describe('a long scan on a site', { timeout: 120_000 }, () => {
  const { world, stored, synced } = underTest(crawl);

  it('is listed as read in part, and not read again while it stays the same', async () => {
    const { provider, id } = await stored();
    const locator = provider.locatorOf('two');
    const { origin, pathname } = new URL(locator);
    sites.get(origin)!.pages.set(pathname, longScan().toString('latin1'));
    await synced(id);
    expect(await world().errors(id)).toMatchObject([
      {
        locator,
        code: 'partly_read',
        message: expect.stringContaining('first 10 of its 11 pages') as string,
      },
    ]);
    const fetched = provider.fetched();
    await synced(id);
    expect(provider.fetched()).toBe(fetched);
  });

  it('is told from a page that its scripts fill, which may need a browser', async () => {
    const { provider, id } = await stored();
    const locator = provider.locatorOf('two');
    const { origin, pathname } = new URL(locator);
    const shell = '<title>Shop</title><div id="root"></div><script src="/main.js"></script>';
    sites.get(origin)!.pages.set(pathname, shell);
    await synced(id);
    expect(await world().errors(id)).toMatchObject([
      { locator, code: 'partly_read', message: expect.stringContaining('use_browser') as string },
    ]);
  });
});
