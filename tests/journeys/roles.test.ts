import { beforeAll, describe, expect, it } from 'vitest';
import { openJourney, type StartProcess } from '../support/journey.ts';
import { crawl, ended, record } from '../support/crawls.ts';
import type { Service } from '../support/service.ts';
import { manyPages, type Site } from '../support/site.ts';

const ENV = { KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32' };
const journey = openJourney();
let start: StartProcess;
let site: Site;
beforeAll(async () => {
  [start, site] = [await journey.processes(ENV), await journey.site(manyPages(20))];
}, 120_000);

describe('a service split into roles', { timeout: 240_000 }, () => {
  it('crawls by one process what another was asked, and a third shows it', async () => {
    const [projector, standBy] = await Promise.all([start('projector,scheduler'), start('projector')]);
    const [asked, shows, worker] = await Promise.all([start('api'), start('api'), start('worker')]);

    const made = await crawl(asked, `${site.origin}/`);
    await ended(shows, made.id);
    expect((await record(shows, made.id)).status).toBe('success');
    const find = async (service: Service) =>
      (await service.post('/search', { body: { query: 'number7 falcons' } })).results[0]?.content.url;
    expect(await find(shows)).toBe(`${site.origin}/p7`);
    for (const process of [projector, standBy, worker, asked]) {
      const ready = await fetch(`${process.base}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([
        200,
        {
          status: 'ready',
          reasons: {},
          details: {},
          optional: {
            browser: expect.any(String),
            agent_runtime: 'not configured',
            embeddings: 'not configured',
            reranker: 'not configured',
          },
        },
      ]);
    }
    await expect(worker.get('/crawls')).rejects.toMatchObject({ type: 'not_found' });

    await projector.end('SIGKILL');
    await worker.end('SIGKILL');
    await start('worker');
    const next = await crawl(shows, `${site.origin}/`);
    await ended(asked, next.id);
    expect((await record(asked, next.id)).status).toBe('success');
  });

  it('refuses to leave work undone on the embedded server, and roles that do not exist', async () => {
    await expect(start('api,worker', { DATABASE_URL: '' })).rejects.toThrow(
      'KNOWLEDGER_ROLES leaves out projector, scheduler: set DATABASE_URL',
    );
    await expect(start('api,cook')).rejects.toThrow(
      'KNOWLEDGER_ROLES takes api, worker, projector, scheduler, separated by commas, not',
    );
  });
});
