import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../application/ports/event-store.ts';
import { crawl, ended, record, sourcesOf } from '../support/crawls.ts';
import { appendEvent } from '../support/event-log.ts';
import { eventually } from '../support/eventually.ts';
import { haltedViews, haltOf, readiness, unusedAddress, measured } from '../support/health.ts';
import { openJourney } from '../support/journey.ts';
import { issued } from '../support/keys.ts';
import type { Service } from '../support/service.ts';
import { page, type Site } from '../support/site.ts';
import { ofEveryView } from '../support/views.ts';
import { follow } from '../support/event-stream.ts';

describe('a view that cannot apply an event', { timeout: 180_000 }, () => {
  const journey = openJourney();
  let service: Service;
  let site: Site;
  let metrics: URL;
  let id: string;
  beforeAll(async () => {
    site = await journey.site({
      '/': page('Start', 'a page about herons', ['/b']),
      '/b': page('B', 'and otters'),
    });
    metrics = await unusedAddress();
    service = await journey.service({
      KNOWLEDGER_ALLOW_ADDRESSES: site.host,
      KNOWLEDGER_LOG_LEVEL: 'error',
      KNOWLEDGER_METRICS_PORT: metrics.port,
    });
    id = (await crawl(service, `${site.origin}/`)).id;
    await ended(service, id);
  }, 120_000);

  const TEXT = 'a page about cormorants';
  /** The texts of a document, changed, and where the file store has them. */
  const changedTexts = () => {
    const chunk = { text: TEXT, heading_path: [], page_number: 1, token_count: 5 };
    const chunks = [{ ...chunk, text_hash: createHash('sha256').update(TEXT).digest('hex'), occurrence: 0 }];
    const from = { title: 'Start', url: `${site.origin}/`, file_type: 'html' };
    const text = JSON.stringify({ format: 1, source: from, keywords: [], chunks });
    const sha256 = createHash('sha256').update(text).digest('hex');
    const path = join(service.dataDir, 'files', id, sha256.slice(0, 2), sha256);
    return { text, path, reference: { sha256, bytes: text.length, chunks: 1 } };
  };
  const search = async (query: string): Promise<readonly string[]> => {
    const body = await service.post('/search', { body: { query } });
    return body.results.map(({ content }: { content: { text: string } }) => content.text);
  };

  const damage = async () => {
    const { text, path, reference } = changedTexts();
    const put = async (): Promise<void> => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text.slice(0, 20));
    };
    const sources = await sourcesOf(service, id);
    const start = sources.find(({ url }) => url === `${site.origin}/`)!;
    const next = (past: readonly { readonly data: JsonObject }[]): JsonObject => ({
      ...past.at(-1)!.data,
      chunk_set: reference,
    });
    await put();
    const position = await appendEvent(service, `source-${start.id}`, 'SourceIndexed', next);
    // Before the event nothing refers to it, so that the sweep after the job may have taken it.
    await put();
    return {
      position,
      stream: `source-${start.id}`,
      repair: () => writeFile(path, text),
    };
  };
  let damaged: Awaited<ReturnType<typeof damage>>;

  it('says at which event it halted, and why; a metric says so too', async () => {
    expect(await readiness(service)).toEqual({ status: 200, reasons: {} });
    damaged = await damage();
    const reason = await haltOf(service, 'catalog');
    expect(reason).toContain(
      `SourceIndexed at revision 1 of ${damaged.stream}, position ${damaged.position}:`,
    );
    expect(reason).toMatch(/JSON/);
    const { status, reasons } = await readiness(service);
    expect([status, Object.keys(reasons)]).toEqual([503, ['projection catalog']]);
    const told = await eventually(
      () => haltedViews(metrics),
      ({ catalog }) => catalog === '1',
    );
    expect(told).toEqual(ofEveryView('0', { catalog: '1' }));
  });

  it('answers as it did before that event, and the other views go on', async () => {
    expect((await search('herons'))[0]).toContain('herons');
    expect(await search('cormorants')).toEqual([]);
    const made = await crawl(service, `${site.origin}/`, { name: 'Another' });
    const crawls = await eventually(
      () => Array.fromAsync(service.all('/crawls')),
      (list) => list.some((row) => row.id === made.id),
    );
    expect(crawls).toHaveLength(2);
    expect((await issued(service, {})).key).toMatch(/./);
  });

  it('halts there again after a restart, while the cause is not gone', async () => {
    await service.end('SIGTERM');
    service = await service.again();
    expect(await haltOf(service, 'catalog')).toContain(damaged.position);
  });

  it('goes on once the cause is gone, after a restart, and has missed nothing', async () => {
    await damaged.repair();
    await service.end('SIGTERM');
    service = await service.again();
    await eventually(
      () => readiness(service),
      ({ status }) => status === 200,
    );
    const found = await eventually(
      () => search('cormorants'),
      (texts) => texts.length > 0,
    );
    expect(found[0]).toBe(TEXT);
    expect(await haltedViews(metrics)).toEqual(ofEveryView('0'));
    for (const { id: each } of await Array.fromAsync(service.all('/crawls'))) {
      const entries = await ended(service, each);
      expect(entries.at(-1)).toMatchObject({ type: 'JobSucceeded', data: { counts: { seen: 2 } } });
      expect(await sourcesOf(service, each)).toHaveLength(2);
    }
  });
});

describe('what a newer version has written', { timeout: 180_000 }, () => {
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

  it('to a data source reads as unknown, stays in its trail as it was stored, and takes no command', async () => {
    await appendEvent(service, `dataSource-${id}`, 'JobPaused', { at: 5, for_seconds: 60 });
    const crawls = () => service.api('GET', `/crawls/${id}`);
    await eventually(crawls, ({ body }) => body.status === 'unknown');
    const body = await service.get('/crawls/{id}/events', { path: { id } });
    const last = body.events.at(-1);
    expect(last).toMatchObject({ type: 'JobPaused', to_status: 'unknown', data: { at: 5, for_seconds: 60 } });
    const streamed = await follow(service, `/crawls/${id}/events`, ({ data }) => data.type === 'JobPaused');
    expect(streamed.at(-1)!.data).toEqual(last);
    const list = await service.get('/crawls');
    expect(list.crawls.at(-1)).toMatchObject({ id, status: 'unknown' });
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
    const tag = await service.post('/tags', { body: { name: 'sealed?' } });
    const bound = { tag_id: tag.id, source_group_id: id };
    const unbound = await service.api('POST', '/tag-source-groups', bound);
    expect([unbound.status, unbound.body.error.type]).toEqual([503, 'unavailable']);
    const log = await service.get('/events', {
      query: { category: ['dataSource'], order: 'desc', limit: 1 },
    });
    expect(log.events).toMatchObject([{ type: 'JobPaused', data: { for_seconds: 60 } }]);
    // A name that this version does not know may be a typing error as well.
    expect((await service.api('GET', '/events?types=JobPaused')).status).toBe(400);
  });
});
