import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ended, pathsOf, shown, until } from '../support/crawls.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { manyPages, page, type PageAnswer } from '../support/site.ts';
import { contentsOf, synced } from '../support/sync.ts';

const journey = openJourney();
let service: Tenant;
beforeAll(async () => {
  service = await journey.tenant();
}, 120_000);

const open = journey.site;
const answering =
  (code: number, headers: { readonly [name: string]: string } = {}): PageAnswer =>
  (_, response) => {
    response.writeHead(code, headers).end();
  };
const start = (...links: readonly string[]): string => page('Start', 'where all begins', links);

describe('after a sync', { timeout: 180_000 }, () => {
  it.each([
    ['is answered with 404', '/x', answering(404)],
    ['is answered with 410', '/x', answering(410)],
    ['redirects to another page', '/x', answering(301, { location: '/y' })],
    ['redirects to another site', '/x', answering(301, { location: 'https://example.com/' })],
    [
      'names another page as canonical',
      '/x',
      page('X', 'now elsewhere').replace('<main>', '<link rel=canonical href=/y><main>'),
    ],
    [
      'asks not to be indexed',
      '/x',
      page('X', 'now unlisted').replace('<main>', '<meta name=robots content=noindex><main>'),
    ],
    ['is forbidden by robots.txt', '/robots.txt', 'User-agent: *\nDisallow: /x'],
    ['is linked no more', '/', start('/y')],
  ])('nothing is left to read of a page that %s', async (_, path, answer) => {
    const word = `w${randomUUID()}`;
    const site = await open({
      '/': start('/x', '/y'),
      '/x': page('X', `soon vanished ${word}`),
      '/y': page('Y', 'stays'),
    });
    const { id, sync } = await synced(service, site);
    expect(await pathsOf(service, site, id)).toEqual(['/', '/x', '/y']);
    site.pages.set(path, answer);
    await sync();
    expect(await pathsOf(service, site, id)).toEqual(['/', '/y']);
    const { body } = await service.api('POST', '/search', { query: `vanished ${word}` });
    expect(JSON.stringify(body.results)).not.toContain(word);
  });

  it('a page comes back with the ids that it had', async () => {
    const site = await open({ '/': start('/x'), '/x': page('X', 'gone for a while') });
    const { id, sync } = await synced(service, site);
    const before = await contentsOf(service, `${site.origin}/x`);
    const whole = site.pages.get('/x')!;
    site.pages.delete('/x');
    await sync();
    expect(await pathsOf(service, site, id)).toEqual(['/']);
    site.pages.set('/x', whole);
    await sync();
    expect(await contentsOf(service, `${site.origin}/x`)).toEqual(before);
  });

  it('pages that only a sitemap names stay while that sitemap cannot be had', async () => {
    const site = await open({ '/': start(), '/orphan': page('Orphan', 'linked by nothing') });
    site.pages.set('/robots.txt', `Sitemap: ${site.origin}/sitemap.xml`);
    site.pages.set('/sitemap.xml', `<urlset><url><loc>${site.origin}/orphan</loc></url></urlset>`);
    const { id, sync } = await synced(service, site);
    site.pages.set('/sitemap.xml', answering(501));
    await sync();
    expect(await pathsOf(service, site, id)).toEqual(['/', '/orphan']);
    site.pages.set('/sitemap.xml', '<urlset></urlset>');
    await sync();
    expect(await pathsOf(service, site, id)).toEqual(['/']);
  });

  it.each([
    [
      'is not stored itself',
      page('Hub', 'x', ['/leaf']).replace('<main>', '<meta name=robots content=noindex><main>'),
    ],
    ['redirects there', answering(302, { location: '/leaf' })],
    ['names it as canonical', page('Copy', 'x').replace('<main>', '<link rel=canonical href=/leaf><main>')],
  ])('what lies behind a page that %s stays while that page fails', async (_, hub) => {
    const site = await open({ '/': start('/hub'), '/hub': hub, '/leaf': page('Leaf', 'behind the hub') });
    const { id, sync } = await synced(service, site, { max_depth: 2 });
    site.pages.set('/hub', answering(501));
    await sync();
    await sync();
    expect(await pathsOf(service, site, id)).toEqual(['/', '/leaf']);
  });

  it('a site that is down keeps all that it had', async () => {
    const site = await open({ '/': start('/a', '/b'), '/a': page('A', 'a'), '/b': page('B', 'b') });
    const { id, sync } = await synced(service, site);
    const whole = new Map(site.pages);
    for (const path of ['/', '/a', '/b']) site.pages.set(path, answering(501));
    expect(await sync()).toMatchObject({ title: 'Start URL not reachable' });
    site.pages.set('/robots.txt', answering(501));
    expect(await sync()).toMatchObject({ title: 'Start URL not reachable' });
    expect((await contentsOf(service, `${site.origin}/a`)).size).toBe(1);
    for (const [path, answer] of whole) site.pages.set(path, answer);
    site.pages.delete('/robots.txt');
    expect(await sync()).toMatchObject({ failed: 0 });
    expect(await pathsOf(service, site, id)).toEqual(['/', '/a', '/b']);
  });
});

describe('a pass that is not complete', { timeout: 180_000 }, () => {
  it('removes nothing when it is canceled', async () => {
    const site = await open(manyPages(60));
    const { id, last } = await synced(service, site);
    const held = Promise.withResolvers<void>();
    site.pages.set('/', start());
    site.hold = held.promise;
    await service.api('POST', `/crawls/${id}/sync`);
    await until(service, id, ['JobClaimed'], last().revision);
    await service.api('POST', `/crawls/${id}/cancel`);
    await ended(service, id, last().revision);
    held.resolve();
    site.hold = null;
    // What would have been removed is seen then.
    await shown(service, await service.api('POST', `/crawls/${id}/cancel`));
    expect(await pathsOf(service, site, id)).toHaveLength(60);
  });

  it('stores no more than max_num_files however the site changes, and keeps what is still there', async () => {
    const site = await open({ ...manyPages(4), '/': start('/p1', '/p2', '/p3') });
    const { id, sync } = await synced(service, site, { max_num_files: 4 });
    site.pages.set('/new1', page('New', 'one'));
    site.pages.set('/new2', page('New', 'two'));
    site.pages.set('/', start('/new1', '/new2', '/p1', '/p2', '/p3'));
    await sync();
    expect(await pathsOf(service, site, id)).toEqual(['/', '/p1', '/p2', '/p3']);
    site.pages.set('/', start('/new1', '/new2', '/p1', '/p2'));
    await sync();
    const stored = await pathsOf(service, site, id);
    expect(stored).toHaveLength(4);
    expect(stored).not.toContain('/p3');
  });
});
