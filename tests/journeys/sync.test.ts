import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, ended, pathsOf, record } from '../support/crawls.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { page, type Site, tagged } from '../support/site.ts';
import { contentsOf, synced } from '../support/sync.ts';

describe('a sync', { timeout: 180_000 }, () => {
  const journey = openJourney();
  let service: Tenant;
  beforeAll(async () => {
    service = await journey.tenant();
  }, 120_000);

  const open = journey.site;

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
