import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumHere } from '../support/chromium.ts';
import { crawl, ended, errorsOf, pathsOf } from '../support/crawls.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';
import { page, type PageAnswer, type Site } from '../support/site.ts';

const chromium = await chromiumHere();
const journey = openJourney();

const script: PageAnswer = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/javascript' }).end(`
    const show = async () => {
      const { title, text, links } = await (await fetch('/api' + location.pathname)).json();
      document.title = title;
      const main = document.querySelector('main');
      main.innerHTML = '<h1>' + title + '</h1><p>' + text + '</p>';
      for (const href of links) main.insertAdjacentHTML('beforeend', '<a href="' + href + '">more</a>');
    };
    void show();`);
};
const json =
  (value: object): PageAnswer =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
const SHELL = '<!doctype html><title>Loading</title><main></main><script src="/app.js"></script>';
const PAGES = {
  '/': SHELL,
  '/plum': SHELL,
  '/plain': page('Plain', 'this page needs no script, and speaks of quinces'),
  '/app.js': script,
  '/api/': json({ title: 'Fruit', text: 'pears ripen in September', links: ['/plum', '/plain'] }),
  '/api/plum': json({ title: 'Plums', text: 'plums are dried in autumn', links: [] }),
};

describe.skipIf(chromium === null)('a site whose text is made by scripts', { timeout: 180_000 }, () => {
  let service: Service;
  beforeAll(async () => {
    const env = { KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32', KNOWLEDGER_CRAWL_TIMEOUT_MS: '15000' };
    service = await journey.service({ ...env, ...chromium?.env });
  }, 120_000);

  const found = async (id: string, query: string): Promise<readonly string[]> => {
    const body = await service.post('/search', { body: { query, source_group_ids: [id] } });
    return body.results.map(({ content }: { content: { text: string } }) => content.text);
  };
  const crawled = async (site: Site, parameters: object): Promise<string> => {
    const { id } = await crawl(service, `${site.origin}/`, parameters);
    await ended(service, id);
    return id;
  };
  const settingOf = async (id: string) => {
    const body = await service.get('/crawls/{id}', { path: { id } });
    return await service.get('/crawl-settings/{id}', { path: { id: body.ingestion_setting_id } });
  };

  it('is read by a crawl with use_browser: text, titles and links, and nothing of it without', async () => {
    const site = await journey.site(PAGES);
    const without = await crawled(site, {});
    expect(await found(without, 'pears')).toEqual([]);
    expect(site.hits.has('/plum')).toBe(false);

    const id = await crawled(site, { use_browser: true });
    expect(await pathsOf(service, site, id)).toEqual(['/', '/plain', '/plum']);
    for (const [query, text] of [
      ['pears', 'pears ripen in September'],
      ['plums', 'plums are dried in autumn'],
      ['quinces', 'speaks of quinces'],
    ] as const) {
      expect(await found(id, query)).toEqual([expect.stringContaining(text)]);
    }
    expect(await settingOf(id)).toMatchObject({ use_browser: true });
  });

  it('is found unchanged by the next job, and changed where only its scripts make something else', async () => {
    const site = await journey.site(PAGES);
    const id = await crawled(site, { use_browser: true });
    const sync = async () => {
      const before = (
        await service.get('/crawls/{id}/events', { path: { id }, query: { limit: 100 } })
      ).events.at(-1)!.revision;
      await service.post('/crawls/{id}/sync', { path: { id } });
      return (await ended(service, id, before)).at(-1).data.counts;
    };
    expect(await sync()).toMatchObject({ unchanged: 3, indexed: 0 });
    site.pages.set('/api/plum', json({ title: 'Plums', text: 'plums are made into jam', links: [] }));
    expect(await sync()).toMatchObject({ unchanged: 2, indexed: 1 });
    expect(await found(id, 'plums')).toEqual([expect.stringContaining('made into jam')]);
  });

  it('is read without what robots.txt keeps from robots, and lists pages without text, or without an end', async () => {
    const site = await journey.site({
      ...PAGES,
      '/robots.txt': 'User-agent: *\nDisallow: /api/plum\n',
      '/': page('Start', 'leads on', ['/plum', '/endless']),
      '/endless': '<p>one<script>for (;;);</script>',
    });
    const id = await crawled(site, { use_browser: true });
    expect(site.hits.has('/api/plum')).toBe(false);
    expect(await errorsOf(service, site, id)).toEqual({
      '/endless': 'timed_out',
      '/plum': 'no_text',
    });
  });
});

describe('a service that cannot run scripts', { timeout: 180_000 }, () => {
  const SETTING = { name: 'A site', max_depth: 1, max_num_files: 10, start_url: 'https://nothing.invalid/' };

  it('refuses use_browser, says what to do, and is ready for everything else', async () => {
    const tenant = await journey.tenant();
    const { status, body } = await tenant.api('POST', '/crawls', { ...SETTING, use_browser: true });
    expect([status, body.error.type]).toEqual([422, 'not_configured']);
    expect(body.error.message).toContain('KNOWLEDGER_BROWSER=off');
    const made = await tenant.post('/crawls', { body: SETTING });
    const path = `/crawl-settings/${made.ingestion_setting_id}`;
    const changed = await tenant.api('PUT', path, { use_browser: true });
    expect([changed.status, changed.body.error.type]).toEqual([422, 'not_configured']);
    const ready = await fetch(`${tenant.base}/readyz`);
    const { optional } = (await ready.json()) as { readonly optional: object };
    expect([ready.status, optional]).toEqual([
      200,
      {
        browser: 'not configured',
        agent_runtime: 'not configured',
        embeddings: 'not configured',
        reranker: 'not configured',
      },
    ]);
  });

  it('fails the crawl whose browser does not start, and says so where it is looked for', async () => {
    const env = { KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32', KNOWLEDGER_BROWSER: '/bin/false' };
    const service = await journey.service({ ...env, KNOWLEDGER_BROWSER_SANDBOX: 'off' });
    const site = await journey.site({ '/': SHELL });
    const { id } = await crawl(service, `${site.origin}/`, { use_browser: true });
    await ended(service, id);
    const body = await service.get('/crawls/{id}', { path: { id } });
    expect([body.status, body.error!.title]).toEqual(['failure', 'Not supported here']);
    expect(await errorsOf(service, site, id)).toEqual({ '/': 'browser_failed' });
    expect(service.output()).toContain('the browser does not start');
    const refused = await service.api('POST', '/crawls', { ...SETTING, use_browser: true });
    expect([refused.status, refused.body.error.message]).toEqual([
      422,
      expect.stringContaining('it does not start'),
    ]);
  });
});
