import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, ended, pathsOf } from '../support/crawls.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { page, type PageAnswer, type Site } from '../support/site.ts';

const journey = openJourney();
let service: Tenant;
beforeAll(async () => {
  service = await journey.tenant();
}, 120_000);

const open = journey.site;
const crawled = async (site: Site, parameters: object = {}) => {
  const { id } = await crawl(service, `${site.origin}/`, parameters);
  const last = (await ended(service, id)).at(-1);
  return { id: id as string, last };
};
const redirect =
  (location: string): PageAnswer =>
  (_, response) => {
    response.writeHead(301, { location }).end();
  };
const withHeader =
  (name: string, value: string, body: string): PageAnswer =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', [name]: value }).end(body);
  };
const withHead = (head: string, body: string): string => `<!doctype html><head>${head}</head>${body}`;
const canonical = (href: string, text: string): string =>
  withHead(`<link rel="canonical" href="${href}">`, page('Copy', text));

describe('what pages say of themselves', { timeout: 180_000 }, () => {
  const COPIES = {
    '/': page('Start', 'all copies', ['/a?ref=1', '/a?ref=2', '/a?ref=3', '/far']),
    '/a': canonical('/a', 'one text under four addresses'),
    '/a?ref=1': canonical('/a', 'one text under four addresses'),
    '/a?ref=2': canonical('/a', 'one text under four addresses'),
    '/a?ref=3': canonical('/a', 'one text under four addresses'),
    '/far': canonical('https://example.com/far', 'claims to be a page of another site'),
  };

  it('rel=canonical makes one source of all copies; that of another site is not believed', async () => {
    const site = await open(COPIES);
    const { id } = await crawled(site);
    expect(await pathsOf(service, site, id)).toEqual(['/', '/a', '/far']);
  });

  it('no_canonical_check stores every address by itself', async () => {
    const site = await open(COPIES);
    const { id } = await crawled(site, { no_canonical_check: true });
    expect(await pathsOf(service, site, id)).toEqual(['/', '/a?ref=1', '/a?ref=2', '/a?ref=3', '/far']);
  });

  it('a canonical address that the filters exclude is not fetched, and the page is stored as itself', async () => {
    const site = await open({
      '/': page('Start', 'leads to a copy', ['/shown']),
      '/shown': canonical('/hidden/original', 'a copy of what is excluded'),
      '/hidden/original': page('Original', 'must not be fetched'),
    });
    const { id } = await crawled(site, { path_filters: ['!/hidden/**'] });
    expect(await pathsOf(service, site, id)).toEqual(['/', '/shown']);
    expect(site.hits.has('/hidden/original')).toBe(false);
  });

  it('a canonical address that redirects back to the page loses nothing', async () => {
    const site = await open({
      '/': page('Start', 'leads to a page', ['/page/']),
      '/page/': canonical('/page', 'a text that names its address without the slash'),
      '/page': redirect('/page/'),
    });
    const { id } = await crawled(site);
    expect(await pathsOf(service, site, id)).toEqual(['/', '/page/']);
  });

  it('of pages that name each other, or one that is gone, none is lost', async () => {
    const site = await open({
      '/': page('Start', 'leads to copies', ['/one', '/two', '/copy?1', '/copy?2']),
      '/one': canonical('/two', 'one names two'),
      '/two': canonical('/one', 'two names one'),
      '/copy?1': canonical('/gone', 'the same text twice'),
      '/copy?2': canonical('/gone', 'the same text twice'),
    });
    const { id } = await crawled(site);
    expect(await pathsOf(service, site, id)).toEqual(['/', '/copy?1', '/one', '/two']);
  });

  it('noindex leaves a page out and follows its links, nofollow the other way round', async () => {
    const meta = (content: string): string => `<meta name="robots" content="${content}">`;
    const site = await open({
      '/': page('Start', 'directives', ['/noindex', '/nofollow', '/none', '/header', '/marked']),
      '/noindex': withHead(meta('noindex'), page('No', 'unseen', ['/behind-noindex'])),
      '/nofollow': withHead(meta('nofollow'), page('Yes', 'seen', ['/behind-nofollow'])),
      '/none': withHead(meta('none'), page('No', 'unseen', ['/behind-none'])),
      '/header': withHeader('x-robots-tag', 'noindex', page('No', 'unseen', ['/behind-header'])),
      '/marked':
        '<title>Marked</title><p>one link is marked</p><a rel="nofollow" href="/behind-marked">x</a>',
      '/behind-noindex': page('Behind', 'behind noindex'),
      '/behind-header': page('Behind', 'behind the header'),
      '*': page('Wrong', 'nobody should come here'),
      '/robots.txt': (_, response) => void response.writeHead(404).end(),
    });
    const { id } = await crawled(site);
    const indexed = ['/', '/behind-header', '/behind-noindex', '/marked', '/nofollow'];
    expect(await pathsOf(service, site, id)).toEqual(indexed);
    expect(await pathsOf(service, site, id, 'skipped')).toEqual(['/header', '/noindex', '/none']);
  });
});
