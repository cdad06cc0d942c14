import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, ended, errorsOf } from '../support/crawls.ts';
import { HARMFUL, linkTrap, ODD } from '../support/hostile-pages.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';
import { page, type Site } from '../support/site.ts';

const journey = openJourney();
let service: Service;
let site: Site;
// oxlint-disable-next-line typescript/no-explicit-any -- journeys look into answers of every shape
let entries: any[];
let id: string;

beforeAll(async () => {
  const harmful = Object.entries(HARMFUL).map(([path, [, answer]]) => [path, answer] as const);
  site = await journey.site({
    '/': page('Start', 'where all begins', [...Object.keys(HARMFUL), ...Object.keys(ODD), '/trap/', '/good']),
    '/good': page('Good', 'a sound page about otters', ['/better']),
    '/better': page('Better', 'another sound page about otters'),
    ...Object.fromEntries(harmful),
    ...ODD,
    '*': (request, response) => {
      const path = request.url ?? '';
      if (path.startsWith('/trap/')) linkTrap(request, response);
      else if (path.startsWith('/endless?')) HARMFUL['/endless?0']![1](request, response);
      else response.writeHead(404).end();
    },
  });
  service = await journey.service({
    KNOWLEDGER_ALLOW_ADDRESSES: site.host,
    KNOWLEDGER_LOG_LEVEL: 'warn',
    KNOWLEDGER_CRAWL_MAX_BYTES: String(4 * 1_024 * 1_024),
    KNOWLEDGER_CRAWL_TIMEOUT_MS: '3000',
    KNOWLEDGER_EXTRACTION_MEMORY_MB: '400',
  });
  id = (await crawl(service, `${site.origin}/`)).id;
  entries = await ended(service, id);
}, 120_000);

describe('a crawl of a site that means harm', { timeout: 180_000 }, () => {
  it('lists each page that does harm as what it is, with a message and the time, and nothing else', async () => {
    const listed = Object.fromEntries(Object.entries(HARMFUL).map(([path, [code]]) => [path, code]));
    expect(await errorsOf(service, site, id)).toEqual(listed);
    for (const { attempt, message, time } of await Array.fromAsync(
      service.all('/crawls/{id}/errors', { path: { id } }),
    )) {
      expect([attempt, message]).toEqual([1, expect.stringMatching(/./)]);
      expect(time).toBeGreaterThan(1_700_000_000);
    }
  });

  it('succeeds, with every sound page searchable', async () => {
    const { type, data } = entries.at(-1);
    expect([type, data.counts.failed]).toEqual(['JobSucceeded', Object.keys(HARMFUL).length]);
    const body = await service.post('/search', { body: { query: 'otters', limit: 2 } });
    const urls = new Set(body.results.map((hit: { content: { url: string } }) => hit.content.url));
    expect(urls).toEqual(new Set([`${site.origin}/better`, `${site.origin}/good`]));
  });

  it('reads what is odd but harmless', async () => {
    const deep = await service.post('/search', { body: { query: 'abyssal' } });
    expect(deep.results[0]!.content.url).toBe(`${site.origin}/deep`);
    const odd = await service.post('/search', { body: { query: 'Привет' } });
    expect(odd.results[0]!.content).toMatchObject({ url: `${site.origin}/wrong-charset`, title: 'Odd' });
  });

  it('leaves a trap of links after a few folders', () => {
    const visited = [...site.hits.keys()].filter((path) => path.startsWith('/trap/'));
    expect(visited.length).toBeGreaterThan(1);
    expect(visited.length).toBeLessThan(6);
  });
});
