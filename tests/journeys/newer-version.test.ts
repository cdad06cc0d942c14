import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { crawl, ended, record } from '../support/crawls.ts';
import { appendEvent } from '../support/event-log.ts';
import { follow } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { haltedViews, haltOf, measured, readiness, unusedAddress } from '../support/health.ts';
import { openJourney } from '../support/journey.ts';
import type { Service } from '../support/service.ts';
import { page, type Site } from '../support/site.ts';
import { ofEveryView } from '../support/views.ts';

const journey = openJourney();
let service: Service;
let site: Site;
let metrics: URL;
let id: string;
beforeAll(async () => {
  site = await journey.site({ '/': page('Start', 'one page') });
  metrics = await unusedAddress();
  service = await journey.service({
    KNOWLEDGER_ALLOW_ADDRESSES: site.host,
    KNOWLEDGER_LOG_LEVEL: 'error',
    KNOWLEDGER_METRICS_PORT: metrics.port,
  });
  id = (await crawl(service, `${site.origin}/`)).id;
  await ended(service, id);
  await record(service, id);
}, 120_000);

describe('what a newer version has written', { timeout: 180_000 }, () => {
  it('to a document halts the catalog, visibly, and nothing else', async () => {
    expect((await readiness(service)).status).toBe(200);
    expect(await haltedViews(metrics)).toEqual(ofEveryView('0'));
    const position = await appendEvent(service, `source-${randomUUID()}`, 'SourceSummarised', { at: 6 });
    const reason = await haltOf(service, 'catalog');
    expect(reason).toMatch(/halted.*SourceSummarised/);
    expect(reason).toContain(`position ${position}`);
    expect((await readiness(service)).status).toBe(503);
    const told = await eventually(
      () => haltedViews(metrics),
      ({ catalog }) => catalog === '1',
    );
    expect(told).toEqual(ofEveryView('0', { catalog: '1' }));
    const made = await service.api('POST', '/crawls', {
      name: 'x',
      start_url: `${site.origin}/`,
      max_depth: 1,
      max_num_files: 1,
    });
    const seen = { 'x-min-position': made.headers.get('x-position') ?? '' };
    expect((await service.api('GET', `/crawls/${made.body.id}`, undefined, seen)).status).toBe(200);
    expect((await service.api('GET', '/sources', undefined, seen)).body.error.type).toBe('unavailable');
    expect((await service.api('GET', '/sources')).status).toBe(200);
  });

  it('to a data source reads as unknown, stays in its trail as it was stored, and takes no command', async () => {
    await appendEvent(service, `dataSource-${id}`, 'JobPaused', { at: 5, for_seconds: 60 });
    const crawls = () => service.api('GET', `/crawls/${id}`);
    await eventually(crawls, ({ body }) => body.status === 'unknown');
    const { body } = await service.api('GET', `/crawls/${id}/events`);
    const last = body.events.at(-1);
    expect(last).toMatchObject({ type: 'JobPaused', to_status: 'unknown', data: { at: 5, for_seconds: 60 } });
    const streamed = await follow(service, `/crawls/${id}/events`, ({ data }) => data.type === 'JobPaused');
    expect(streamed.at(-1)!.data).toEqual(last);
    const list = await service.api('GET', '/crawls');
    expect(list.body.crawls.at(-1)).toMatchObject({ id, status: 'unknown' });
    const text = await eventually(
      () => measured(metrics),
      (told) => told.includes('status="unknown"'),
    );
    expect(text).toMatch(/knowledger_data_sources\{[^}]*status="unknown"[^}]*\} 1/);
    for (const [method, path] of [
      ['POST', '/sync'],
      ['POST', '/cancel'],
      ['DELETE', ''],
    ] as const) {
      const refused = await service.api(method, `/crawls/${id}${path}`);
      expect([refused.status, refused.body.error.type]).toEqual([503, 'unavailable']);
    }
    const { body: tag } = await service.api('POST', '/tags', { name: 'sealed?' });
    const bound = { tag_id: tag.id, source_group_id: id };
    const unbound = await service.api('POST', '/tag-source-groups', bound);
    expect([unbound.status, unbound.body.error.type]).toEqual([503, 'unavailable']);
    const { body: log } = await service.api('GET', '/events?category=dataSource&order=desc&limit=1');
    expect(log.events).toMatchObject([{ type: 'JobPaused', data: { for_seconds: 60 } }]);
    // A name that this version does not know may be a typing error as well.
    expect((await service.api('GET', '/events?types=JobPaused')).status).toBe(400);
  });
});
