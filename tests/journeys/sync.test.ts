import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, ended, errorsOf, pathsOf, until, record } from '../support/crawls.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { page, type PageAnswer, type Site, tagged } from '../support/site.ts';
import { contentsOf, synced } from '../support/sync.ts';

describe('a sync', { timeout: 180_000 }, () => {
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
});

describe('a sync in part', () => {
  const journey = openJourney();
  let service: Tenant;
  beforeAll(async () => {
    service = await journey.tenant();
  }, 120_000);

  const open = async (): Promise<Site> => {
    return journey.site({
      '/': page('Start', 'where all begins', ['/a', '/b']),
      '/a': tagged('"a"', page('A', 'a kestrel', ['/c'])),
      '/b': tagged('"b"', page('B', 'an osprey')),
      '/c': tagged('"c"', page('C', 'a falcon')),
      '/unlinked': page('Unlinked', 'a merlin', ['/far']),
      '/far': page('Far', 'never linked before'),
    });
  };

  /** Syncs with this body, to the end; answers the last entry of the trail. */
  const sync = async (id: string, body: object, after: number) => {
    const { status } = await service.api('POST', `/crawls/${id}/sync`, body);
    expect(status).toBe(202);
    return (await ended(service, id, after)).at(-1);
  };

  describe('a sync of named pages', { timeout: 180_000 }, () => {
    it('looks at these alone, stores what is new of them, and follows no link', async () => {
      const site = await open();
      const { id, last } = await synced(service, site);
      site.pages.set('/a', tagged('"a2"', page('A', 'a kestrel, changed', ['/c', '/far'])));
      site.pages.delete('/b');
      site.hits.clear();

      const urls = ['/a', '/unlinked', '/b'].map((path) => `${site.origin}${path}`);
      const part = await sync(id, { urls: [...urls, `${site.origin}/a#part`] }, last().revision);
      expect(part).toMatchObject({
        type: 'JobSucceeded',
        data: { counts: { seen: 3, indexed: 2, failed: 1 } },
      });
      expect([...site.hits.keys()].filter((path) => path !== '/robots.txt').toSorted()).toEqual([
        '/a',
        '/b',
        '/unlinked',
      ]);
      expect([...(await pathsOf(service, site, id))].toSorted()).toEqual(['/', '/a', '/c', '/unlinked']);
      const { body } = await service.api('GET', `/crawls/${id}/events?limit=100`);
      const queued = body.events.findLast(({ type }: { type: string }) => type === 'JobQueued');
      expect(queued.data.locators).toEqual(urls);

      // A whole sync still knows where the page led, and leaves out what no link leads to.
      const whole = await sync(id, {}, part.revision);
      expect(whole.data.counts).toMatchObject({ seen: 5, failed: 1 });
      expect([...(await pathsOf(service, site, id))].toSorted()).toEqual(['/', '/a', '/c', '/far']);
    });
  });

  describe('changed parameters', { timeout: 180_000 }, () => {
    it('are in force from the next job on, for pages too that have not changed', async () => {
      const site = await open();
      const made = await crawl(service, `${site.origin}/`);
      const first = (await ended(service, made.id)).at(-1);
      const setting = `/crawl-settings/${made.ingestion_setting_id}`;
      const put = (body: object) => service.api('PUT', setting, body);

      const changed = await put({ max_depth: 1, content_pattern: ['osprey|begins'] });
      expect(changed.body).toMatchObject({
        name: made.name,
        start_url: made.start_url,
        max_depth: 1,
        max_num_files: 1000,
        content_pattern: ['osprey|begins'],
      });
      const second = await sync(made.id, {}, first.revision);
      expect(second.data.counts).toMatchObject({ seen: 3, skipped: 1 });
      expect([...(await pathsOf(service, site, made.id))].toSorted()).toEqual(['/', '/b']);
      const third = await sync(made.id, {}, second.revision);
      expect(third.data.counts).toMatchObject({ seen: 3, skipped: 1, unchanged: 2 });

      const { body } = await service.api('GET', setting);
      expect(body).toEqual(changed.body);
      expect((await record(service, made.id)).progress).toEqual(third.data.counts);
    });
  });
});
