import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, ended, errorsOf, pathsOf } from '../support/crawls.ts';
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
describe('what sites say of themselves', { timeout: 180_000 }, () => {
  it('robots.txt keeps pages from being asked for, and lists them', async () => {
    const site = await open({
      '/robots.txt': 'User-agent: *\nDisallow: /private\nAllow: /private/but-this\n',
      '/': page('Start', 'leads everywhere', ['/private/x', '/private/but-this', '/open', '/to-private']),
      '/open': page('Open', 'open to all'),
      '/private/but-this': page('But', 'allowed again'),
      '/private/x': page('X', 'must not be fetched'),
      '/to-private': redirect('/private/x'),
    });
    const { id, last } = await crawled(site);
    expect(last.type).toBe('JobSucceeded');
    expect(await pathsOf(service, site, id)).toEqual(['/', '/open', '/private/but-this']);
    const { body } = await service.api('GET', `/crawls/${id}/errors`);
    const blocked = ['/private/x', '/to-private'].map((path) => site.origin + path);
    expect(body).toMatchObject({ errors: [], robots_blocked: blocked });
    expect(site.hits.has('/private/x')).toBe(false);
  });

  it('a sitemap leads to pages that nothing links to, and opens no way around filters and robots.txt', async () => {
    const site = await open({
      '/': page('Start', 'links to nothing'),
      '/orphan': page('Orphan', 'known to the sitemap alone'),
      '/hidden/x': page('X', 'must not be fetched'),
      '/private': page('X', 'must not be fetched'),
    });
    const urls = ['/orphan', '/hidden/x', '/private'].map(
      (path) => `<url><loc>${site.origin}${path}</loc></url>`,
    );
    const sitemap = `<urlset>${urls.join('')}<url><loc>https://example.com/x</loc></url></urlset>`;
    site.pages.set('/robots.txt', `User-agent: *\nDisallow: /private\nSitemap: ${site.origin}/sitemap.xml`);
    site.pages.set('/sitemap.xml', sitemap);
    const { id } = await crawled(site, { path_filters: ['!/hidden/*'] });
    expect(await pathsOf(service, site, id)).toEqual(['/', '/orphan']);
    expect(site.hits.has('/hidden/x') || site.hits.has('/private')).toBe(false);
  });

  it('redirects within the site lead to one source', async () => {
    const site = await open({
      '/': page('Start', 'three ways to one page', ['/old', '/older', '/new']),
      '/old': redirect('/new'),
      '/older': redirect('/old'),
      '/new': page('New', 'the page where all ways end', ['/next']),
      '/next': page('Next', 'what it links to'),
    });
    const { id } = await crawled(site);
    expect(await pathsOf(service, site, id)).toEqual(['/', '/new', '/next']);
  });

  it('a redirect opens no way around the filters', async () => {
    const site = await open({
      '/': page('Start', 'leads around', ['/a', '/b', '/c']),
      '/a': redirect('/hidden/x'),
      '/b': redirect('/x.txt'),
      '/c': redirect('/c.html'),
      '/hidden/x': page('X', 'must not be fetched'),
      '/c.html': page('C', 'may be fetched'),
    });
    const { id } = await crawled(site, { path_filters: ['!/hidden/*'], file_extensions: ['.html'] });
    expect(await pathsOf(service, site, id)).toEqual(['/', '/c.html']);
    expect(site.hits.has('/hidden/x') || site.hits.has('/x.txt')).toBe(false);
  });

  it('a start URL that redirects to where robots.txt forbids, or nobody may go, fails with that reason', async () => {
    const site = await open({
      '/robots.txt': 'User-agent: *\nDisallow: /private',
      '/': redirect('/private'),
    });
    expect((await crawled(site)).last.data.error.title).toBe('Blocked by robots.txt');
    const inward = await open({ '/': redirect('http://169.254.169.254/') });
    const { id, last } = await crawled(inward);
    expect(last.data.error.title).toBe('Address not allowed');
    expect(await errorsOf(service, inward, id)).toEqual({ '/': 'address_not_allowed' });
  });
});
