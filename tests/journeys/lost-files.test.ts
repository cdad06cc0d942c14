import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { crawl, ended, until } from '../support/crawls.ts';
import { readiness } from '../support/health.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';
import { page, type Site } from '../support/site.ts';

const journey = openJourney();
let service: Service;
let site: Site;
beforeAll(async () => {
  site = await journey.site({ '/': page('Home', '<p>Words about falcons.</p>') });
  service = await journey.service({ KNOWLEDGER_ALLOW_ADDRESSES: '127.0.0.1/32' });
}, 120_000);

/** The check of files is made every few seconds. */
const comesToBe = async (status: number) =>
  (
    await eventually(
      () => readiness(service),
      (told) => told.status === status,
    )
  ).reasons;

describe('the files of a service', { timeout: 180_000 }, () => {
  it('are not started over when their volume is gone: it says so, makes nothing, and goes on when it is back', async () => {
    const [files, away] = [join(service.dataDir, 'files'), join(service.dataDir, 'away')];
    await ended(service, (await crawl(service, `${site.origin}/`)).id);
    const [source] = (await service.api('GET', '/sources')).body.sources;
    const raw = () => service.api('GET', `/sources/${source.id}/raw`);
    expect((await raw()).status).toBe(200);

    await rename(files, away);
    const lost = await raw();
    expect([lost.status, lost.body.error.type]).toEqual([503, 'unavailable']);
    expect(await comesToBe(503)).toEqual({ files: 'down: missing' });
    const { id } = await crawl(service, `${site.origin}/`);
    await until(service, id, ['JobRequeued']);
    expect(existsSync(files)).toBe(false);

    await service.end('SIGTERM');
    await expect(service.again()).rejects.toThrow('Is the volume mounted?');
    const rebuilt = await service.command('rebuild', 'catalog');
    expect([rebuilt.code, rebuilt.output]).toEqual([1, expect.stringContaining('Is the volume mounted?')]);
    expect(existsSync(files)).toBe(false);
    await rename(away, files);
    service = await service.again();
    expect(await comesToBe(200)).toEqual({});
    expect((await raw()).status).toBe(200);
  });
});
