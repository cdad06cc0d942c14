import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, ended, errorsOf, pathsOf, until } from '../support/crawls.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { page, type PageAnswer } from '../support/site.ts';
import { contentsOf, synced } from '../support/sync.ts';

const journey = openJourney();
let service: Tenant;
beforeAll(async () => {
  service = await journey.tenant();
}, 120_000);

const open = journey.site;
const status =
  (code: number): PageAnswer =>
  (_, response) => {
    response.writeHead(code).end();
  };

describe('a sync', { timeout: 180_000 }, () => {
  it('keeps the contents of a page that fails, and finds it well again the next time', async () => {
    const site = await open({
      '/': page('Start', 'links', ['/shaky']),
      '/shaky': page('Shaky', 'sometimes there', ['/behind']),
      '/behind': page('Behind', 'reached through the shaky one'),
    });
    const { id, sync } = await synced(service, site);
    const before = await contentsOf(service, `${site.origin}/shaky`);
    const whole = site.pages.get('/shaky')!;
    site.pages.set('/shaky', status(501));
    expect(await sync()).toMatchObject({ failed: 1, unchanged: 2 });
    expect(await errorsOf(service, site, id)).toEqual({ '/shaky': 'http_status' });
    expect(await contentsOf(service, `${site.origin}/shaky`)).toEqual(before);
    expect(await pathsOf(service, site, id, 'failed')).toEqual(['/shaky']);
    site.pages.set('/shaky', whole);
    await sync();
    expect(await pathsOf(service, site, id)).toEqual(['/', '/behind', '/shaky']);
    expect(await errorsOf(service, site, id)).toEqual({});
    expect(await contentsOf(service, `${site.origin}/shaky`)).toEqual(before);
  });

  it('leaves the job that runs as it is, and answers its record', async () => {
    const site = await open({ '/': page('Start', 'slow to answer') });
    const held = Promise.withResolvers<void>();
    site.hold = held.promise;
    const { id } = await crawl(service, `${site.origin}/`);
    await until(service, id, ['JobClaimed']);
    const answer = await service.api('POST', `/crawls/${id}/sync`);
    expect(answer.status).toBe(200);
    expect(['starting', 'started']).toContain(answer.body.status);
    held.resolve();
    const entries = await ended(service, id);
    expect(entries.filter(({ type }) => type === 'JobQueued')).toHaveLength(1);
  });

  it('stores nothing twice however often it runs, and keeps every content id', async () => {
    const site = await open({
      '/': page('Start', 'links', ['/a', '/b?x=1', '/b?x=2', '/old']),
      '/a': page('A', 'first text'),
      '/b?x=1': page('B', 'the same text'),
      '/b?x=2': page('B', 'the same text'),
      '/old': (_, response) => void response.writeHead(302, { location: '/new' }).end(),
      '/new': page('New', 'target of a redirect'),
    });
    const { id, sync } = await synced(service, site);
    const paths = ['/', '/a', '/b?x=1', '/b?x=2', '/new'];
    const contents = () => Promise.all(paths.map((path) => contentsOf(service, site.origin + path)));
    const before = await contents();
    for (const _ of ['second', 'third', 'fourth']) {
      expect(await sync()).toMatchObject({ indexed: 0, unchanged: 5, failed: 0 });
      expect(await pathsOf(service, site, id)).toEqual(paths);
      expect(await contents()).toEqual(before);
    }
  });

  it('changes the id of the paragraph that changed, and of no other', async () => {
    const paragraph = (n: number): string =>
      `<p>${`The paragraph ${n} tells of its matter. `.repeat(60)}</p>`;
    const text = (changed: string): string => {
      const paragraphs = Array.from({ length: 12 }, (_, n) => `<h2>Part ${n}</h2>${paragraph(n)}`);
      return `<title>Long</title><main>${paragraphs.join('')}${changed}</main>`;
    };
    const site = await open({ '/': text('<h2>Last</h2><p>the former end of it</p>') });
    const { sync } = await synced(service, site);
    const before = await contentsOf(service, `${site.origin}/`);
    site.pages.set('/', text('<h2>Last</h2><p>the latter end of it</p>'));
    await sync();
    const after = await contentsOf(service, `${site.origin}/`);
    const kept = [...before].filter(([content, id]) => after.get(content) === id);
    expect([before.size > 5, before.size - kept.length, after.size - kept.length]).toEqual([true, 1, 1]);
  });
});
