import { afterEach, describe, expect, it } from 'vitest';
import { crawl, ended, sourcesOf } from '../support/crawls.ts';
import { type Service, startService } from '../support/service.ts';
import { manyPages, openSite, type Site } from '../support/site.ts';

const ENV = { KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32', KNOWLEDGER_LOG_LEVEL: 'warn' };
const PAGES = 60;

let service: Service;
let site: Site | undefined;
afterEach(async () => {
  await service.dispose();
  await site?.close();
});

/** A crawl of which some pages are stored, some are in hand, and the site answers no more until released. */
const midway = async () => {
  [service, site] = await Promise.all([startService(ENV), openSite(manyPages(PAGES))]);
  const held = site.holdAfter(PAGES / 2);
  const made = await crawl(service, `${site.origin}/`);
  return { id: made.id, release: await held };
};
const everyPageOnce = async (id: string) => {
  const entries = await ended(service, id);
  expect(entries.at(-1)).toMatchObject({
    type: 'JobSucceeded',
    data: { counts: { seen: PAGES, failed: 0 } },
  });
  const sources = await sourcesOf(service, id);
  expect(new Set(sources.map(({ url }) => url)).size).toBe(PAGES);
  expect(sources).toHaveLength(PAGES);
  return entries.map(({ type }) => type as string);
};

describe('the service', { timeout: 240_000 }, () => {
  it('stops on SIGINT in the middle of a crawl, and the next start goes on with it', async () => {
    const { id, release } = await midway();
    expect(await service.end('SIGINT')).toEqual([0, null]);
    release();
    service = await service.again();
    const types = await everyPageOnce(id);
    expect(types).toContain('JobRequeued');
    // An orderly stop uses up no attempt.
    const body = await service.get('/crawls/{id}/events', { path: { id }, query: { limit: 100 } });
    expect(body.events.find(({ type }: { type: string }) => type === 'JobRequeued')!.data).toMatchObject({
      attempt: 1,
    });
  });

  it('refuses a second service on the same folder', async () => {
    service = await startService(ENV);
    await expect(startService(ENV, service)).rejects.toThrow(/already|in use/);
  });

  it('keeps its keys and its data over a restart', async () => {
    [service, site] = await Promise.all([startService(ENV), openSite(manyPages(8))]);
    const { id } = await crawl(service, `${site.origin}/`);
    await ended(service, id);
    await service.end('SIGTERM');
    service = await service.again();
    expect((await service.get('/crawls/{id}', { path: { id } })).status).toBe('success');
    const found = await service.post('/search', { body: { query: 'number7' } });
    expect(found.results[0]!.content.url).toBe(`${site.origin}/p7`);
  });
});
