import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { all, crawl, ended, gone, record, until } from '../support/crawls.ts';
import { startService, type Service } from '../support/service.ts';
import { manyPages, openSite, page, type Site } from '../support/site.ts';

let service: Service;
const sites: Site[] = [];
const site = async (pages: Parameters<typeof openSite>[0]) => {
  const opened = await openSite(pages);
  sites.push(opened);
  return opened;
};

beforeAll(async () => {
  service = await startService({ KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32', KNOWLEDGER_LOG_LEVEL: 'warn' });
}, 120_000);
afterAll(async () => {
  await service.dispose();
  await Promise.all(sites.map((open) => open.close()));
});

const search = async (query: string, more: object = {}) =>
  (await service.api('POST', '/search', { query, ...more })).body;
const types = (entries: readonly { readonly type: string }[]) => entries.map(({ type }) => type);

describe('a crawl', { timeout: 180_000 }, () => {
  it('goes from POST to a search answer, and its trail tells every step', async () => {
    const { origin } = await site(manyPages(60));
    const made = await crawl(service, `${origin}/`);
    expect(made).toMatchObject({ status: 'queued', start_url: `${origin}/`, name: 'A site' });
    const entries = await ended(service, made.id);
    expect(types(entries).filter((type) => type !== 'JobProgressed')).toEqual([
      'DataSourceRegistered',
      'JobQueued',
      'JobClaimed',
      'JobStarted',
      'JobSucceeded',
    ]);
    expect(entries.map(({ revision }) => revision)).toEqual(entries.map((_, i) => i));
    expect(entries.at(-1).data.counts).toMatchObject({ seen: 60, indexed: 60, failed: 0 });
    expect(new Set(entries.map(({ trace_id }) => trace_id)).size).toBe(1);
    expect((await record(service, made.id)).status).toBe('success');
    const sources = await all(service, `/sources?source_group_id=${made.id}`, 'sources');
    expect(sources).toHaveLength(60);
    const found = await search('number42 falcons');
    expect(found.results[0].content).toMatchObject({
      url: `${origin}/p42`,
      title: 'Page 42',
      source_type: 'crawl',
    });
    const content = await service.api('GET', `/contents/${found.results[0].content.id}`);
    expect(content.body).toEqual(found.results[0].content);
    const raw = await service.api('GET', `/sources/${found.results[0].content.source_id}/raw`);
    expect(raw.body).toContain('number42');
  });

  it('is canceled within two seconds, and keeps what it had', async () => {
    const held = await site(manyPages(300));
    let release = (): void => {};
    const made = await crawl(service, `${held.origin}/`);
    await until(service, made.id, ['JobStarted']);
    held.hold = new Promise((resolve) => {
      release = resolve;
    });
    const canceled = await service.api('POST', `/crawls/${made.id}/cancel`);
    expect(canceled.status).toBe(202);
    const entries = await ended(service, made.id);
    release();
    const [asked, done] = [entries.find(({ type }) => type === 'JobCancelRequested'), entries.at(-1)];
    expect(done).toMatchObject({ type: 'JobCanceled', from_status: 'canceling', to_status: 'canceled' });
    expect(done.data.at - asked.data.at).toBeLessThan(2_000);
    const again = await service.api('POST', `/crawls/${made.id}/cancel`);
    expect([again.status, again.body.status]).toEqual([200, 'canceled']);
  });

  it('is deleted while it runs: nothing of it is readable from the answer on, its trail stays', async () => {
    const doomed = await site({
      ...manyPages(200),
      '/': page('Start', 'a word like zanzibarium', ['/p1', '/p2', '/p3']),
    });
    const made = await crawl(service, `${doomed.origin}/`);
    await until(service, made.id, ['JobProgressed', 'JobSucceeded']);
    const deleted = await service.api('DELETE', `/crawls/${made.id}`);
    expect([deleted.status, deleted.body.status]).toEqual([202, 'deleting']);
    expect((await search('zanzibarium')).results).toEqual([]);
    expect((await all(service, `/sources?source_group_id=${made.id}`, 'sources')).length).toBe(0);
    const entries = await until(service, made.id, ['DataSourceDeleted']);
    expect(types(entries)).toContain('DataSourceDeletionRequested');
    await gone(service, made.id);
    expect((await service.api('DELETE', `/crawls/${made.id}`)).status).toBe(404);
    const trail = await service.api('GET', `/crawls/${made.id}/events?limit=100`);
    expect(trail.body.events.at(-1).type).toBe('DataSourceDeleted');
  });

  it('sees on a sync what changed, what is new and what is gone, and leaves the rest as it was', async () => {
    const living = await site({
      '/': page('Home', 'welcome', ['/same', '/changed', '/gone']),
      '/same': page('Same', 'a steadfast paragraph'),
      '/changed': page('Changed', 'the former wording'),
      '/gone': page('Gone', 'soon vanished'),
    });
    const made = await crawl(service, `${living.origin}/`);
    const first = await ended(service, made.id);
    const before = (await search('steadfast')).results[0].content;
    living.pages.set('/', page('Home', 'welcome', ['/same', '/changed', '/fresh']));
    living.pages.set('/changed', page('Changed', 'the latter phrasing'));
    living.pages.set('/fresh', page('Fresh', 'brandnew tidings'));
    living.pages.delete('/gone');
    const sync = await service.api('POST', `/crawls/${made.id}/sync`);
    expect([sync.status, sync.body.status]).toEqual([202, 'queued']);
    const entries = await ended(service, made.id, first.at(-1).revision);
    expect(entries.at(-1).data).toMatchObject({
      generation: 2,
      counts: { indexed: 3, unchanged: 1, failed: 0 },
    });
    const after = (await search('steadfast')).results[0].content;
    expect(after).toEqual(before);
    const urls = (await all(service, `/sources?source_group_id=${made.id}`, 'sources')).map(({ url }) => url);
    const expected = ['/', '/changed', '/fresh', '/same'].map((path) => `${living.origin}${path}`);
    expect(new Set(urls)).toEqual(new Set(expected));
    expect(urls).toHaveLength(4);
    expect((await search('vanished')).results).toEqual([]);
    const former: Hit[] = (await search('former wording')).results;
    expect(former.filter(({ content }) => content.text.includes('former wording'))).toEqual([]);
    expect((await search('brandnew tidings')).results[0].content.url).toBe(`${living.origin}/fresh`);
  });

  it('fails with a reason when its start cannot be had', async () => {
    const blocked = await site({
      '/robots.txt': (_, response) => response.end('User-agent: *\nDisallow: /'),
    });
    const robots = await crawl(service, `${blocked.origin}/`);
    expect((await ended(service, robots.id)).at(-1).data.error.title).toBe('Blocked by robots.txt');
    const missing = await site({});
    const none = await crawl(service, `${missing.origin}/`);
    expect((await ended(service, none.id)).at(-1).data.error.title).toBe('Start URL not reachable');
    const inner = await crawl(service, 'http://169.254.169.254/latest/meta-data/');
    expect((await ended(service, inner.id)).at(-1).data.error.title).toBe('Address not allowed');
    const errors = await service.api('GET', `/crawls/${none.id}/errors`);
    expect(errors.body.errors).toMatchObject([{ locator: `${missing.origin}/`, code: 'http_status' }]);
  });
});

interface Hit {
  readonly content: { readonly url: string; readonly text: string };
}
