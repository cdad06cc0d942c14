import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backing, openBacking, STORE } from '../support/backing.ts';
import { crawl, ended, record } from '../support/crawls.ts';
import { type Service, startService } from '../support/service.ts';
import { manyPages, openSite, type Site } from '../support/site.ts';

let backing: Backing;
let dataDir: string;
let site: Site;
const services: Service[] = [];
const start = async (roles: string): Promise<Service> => {
  const env = { KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32', KNOWLEDGER_ROLES: roles };
  const service = await startService(env, { dataDir, backing });
  services.push(service);
  return service;
};

beforeAll(async () => {
  // Roles in several processes need a server, whatever the rest of the run is on.
  [backing, dataDir, site] = await Promise.all([
    openBacking(STORE === 'embedded' ? 'postgres' : STORE),
    mkdtemp(join(tmpdir(), 'knowledger-roles-')),
    openSite(manyPages(20)),
  ]);
}, 120_000);
afterAll(async () => {
  await Promise.all(services.map((service) => service.end('SIGTERM')));
  await Promise.all([backing.close(), site.close(), rm(dataDir, { recursive: true, force: true })]);
});

describe('a service split into roles', { timeout: 240_000 }, () => {
  it('crawls by one process what another was asked, and a third shows it', async () => {
    const [projector, standBy] = await Promise.all([start('projector,scheduler'), start('projector')]);
    const [asked, shows, worker] = await Promise.all([start('api'), start('api'), start('worker')]);

    const made = await crawl(asked, `${site.origin}/`);
    await ended(shows, made.id);
    expect((await record(shows, made.id)).status).toBe('success');
    const find = async (service: Service) =>
      (await service.api('POST', '/search', { query: 'number7 falcons' })).body.results[0]?.content.url;
    expect(await find(shows)).toBe(`${site.origin}/p7`);
    for (const process of [projector, standBy, worker, asked]) {
      const ready = await fetch(`${process.base}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([
        200,
        {
          status: 'ready',
          reasons: {},
          optional: {
            browser: expect.any(String),
            agent_runtime: 'not configured',
            embeddings: 'not configured',
            reranker: 'not configured',
          },
        },
      ]);
    }
    expect((await worker.api('GET', '/crawls')).status).toBe(404);

    await projector.end('SIGKILL');
    await worker.end('SIGKILL');
    await start('worker');
    const next = await crawl(shows, `${site.origin}/`);
    await ended(asked, next.id);
    expect((await record(asked, next.id)).status).toBe('success');
  });

  it('refuses to leave work undone on the embedded server, and roles that do not exist', async () => {
    const alone = { DATABASE_URL: '', KNOWLEDGER_ROLES: 'api,worker' };
    await expect(startService(alone, { dataDir, backing })).rejects.toThrow(
      'KNOWLEDGER_ROLES leaves out projector, scheduler: set DATABASE_URL',
    );
    await expect(startService({ KNOWLEDGER_ROLES: 'api,cook' }, { dataDir, backing })).rejects.toThrow(
      'KNOWLEDGER_ROLES takes api, worker, projector, scheduler, separated by commas, not',
    );
  });
});
