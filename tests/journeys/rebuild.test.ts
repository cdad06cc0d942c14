import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { contradictions, dumpCatalog } from '../adapters/postgres/catalog/catalog-dump.ts';
import { crawl, ended, gone, sourcesOf } from '../support/crawls.ts';
import type { Sql } from '../../adapters/postgres/database-schema.ts';
import { inDatabase } from '../support/database.ts';
import { openJourney } from '../support/journey.ts';
import { issued } from '../support/keys.ts';
import type { Service } from '../support/service.ts';
import { manyPages, page, type Site } from '../support/site.ts';

const journey = openJourney();
let service: Service;
let site: Site;
let [kept, deleted] = ['', ''];
beforeAll(async () => {
  site = await journey.site({
    ...manyPages(120),
    '/': page('Start', 'x', ['/p1', '/p2', '/p3', '/gone']),
    '/gone': page('G', 'g'),
  });
  service = await journey.service({ KNOWLEDGER_ALLOW_ADDRESSES: site.host, KNOWLEDGER_LOG_LEVEL: 'warn' });
  kept = (await crawl(service, `${site.origin}/`, { rrule: 'FREQ=DAILY' })).id;
  deleted = (await crawl(service, `${site.origin}/`, { name: 'To be deleted' })).id;
  const [first] = await Promise.all([ended(service, kept), ended(service, deleted)]);
  site.pages.delete('/gone');
  site.pages.set('/p2', page('Page 2', 'another text', ['/p21']));
  await service.post('/crawls/{id}/sync', { path: { id: kept } });
  await ended(service, kept, first.at(-1).revision);
  const [source] = await sourcesOf(service, kept);
  await service.put('/sources/{id}/metadata', {
    path: { id: source!.id },
    body: { records: [{ key: 'team', val: 'red' }] },
  });
  for (const name of ['kept', 'deleted']) {
    const tag = await service.post('/tags', { body: { name } });
    for (const sourceGroupId of [kept, deleted])
      await service.post('/tag-source-groups', { body: { tag_id: tag.id, source_group_id: sourceGroupId } });
    if (name === 'deleted') await service.delete('/tags/{id}', { path: { id: tag.id } });
  }
  await service.delete('/crawls/{id}', { path: { id: deleted } });
  await gone(service, deleted);
  const made = await issued(service, { name: 'revoked' });
  await service.delete('/api-keys/{id}', { path: { id: made.id } });
  await issued(service, { name: 'kept' });
}, 120_000);

const filter = { filters: [{ key: 'team', operator: 'eq', val: 'red' }] } as const;
const found = async (of: Service) => {
  const { status, body } = await of.api('POST', '/search', { query: 'number42 falcons', limit: 10 });
  return [status, body.results?.map(({ content }: { content: object }) => content) ?? body];
};
/** What reads answer; the next occurrence, the id of a query and the last use of a key depend on when they are asked. */
const answers = async (of: Service) => ({
  crawls: await Array.fromAsync(of.all('/crawls')),
  sources: await Array.fromAsync(of.all('/sources')),
  totals: (await of.get('/sources', { query: { source_group_id: kept } })).pagination,
  keys: (await Array.fromAsync(of.all('/api-keys'))).map((key) => ({ ...key, last_used_time: null })),
  groups: await Array.fromAsync(of.all('/source-groups')),
  tags: await Array.fromAsync(of.all('/tags')),
  bindings: await Array.fromAsync(of.all('/tag-source-groups')),
  tagged: await of.post('/query', { body: { tags: ['kept'] } }),
  query: await of.post('/query', { body: { limit: 100, sort: 'title' } }),
  filtered: await of.post('/query', { body: { source_metadata: filter } }),
  search: await found(of),
});

/** Every row of every view, in an order of its own; numbers that depend on how events came in batches are left out. */
const rows = () =>
  inDatabase(service, async ({ db }) => {
    expect(await contradictions(db, 'read')).toEqual([]);
    return {
      catalog: await dumpCatalog(db, 'read'),
      dataSources: await rowsOf(db, 'data_source'),
      settings: await rowsOf(db, 'ingestion_setting'),
      keys: await rowsOf(db, 'api_key'),
      tags: [await rowsOf(db, 'tag'), await rowsOf(db, 'tag_binding'), await rowsOf(db, 'tag_gone_group')],
      counts: [
        await rowsOf(db, 'data_source_count'),
        await rowsOf(db, 'api_key_count'),
        await rowsOf(db, 'tag_count'),
      ],
    };
  });
const rowsOf = async (db: Sql, view: string): Promise<readonly object[]> => {
  const table = sql.id('read', view);
  const { rows: listed } = await sql<{ row: { n?: number } }>`
    select to_jsonb(r) as row from ${table} r order by 1`.execute(db);
  return listed.map(({ row }) => row).filter(({ n }) => n !== 0);
};
/** The versions of views that there are, which is one each when no rebuild is at work. */
const schemas = () =>
  inDatabase(service, async ({ db }) => {
    const { rows: named } = await sql<{ name: string }>`
      select nspname as name from pg_namespace where nspname ~ '_v[0-9]+$' order by 1`.execute(db);
    return named.map(({ name }) => name);
  });

describe('npm run rebuild', { timeout: 240_000 }, () => {
  it('beside a running service: reads go on all the while, and answer the same before, meanwhile and after', async () => {
    const before = await answers(service);
    expect([before.tags, before.bindings.length]).toEqual([
      [expect.objectContaining({ name: 'kept', source_group_count: 1 })],
      1,
    ]);
    expect([before.crawls.length, before.sources.length, before.filtered.pagination.total]).toEqual([
      1, 34, 1,
    ]);
    const stored = await rows();
    const versions = await schemas();
    const over = new AbortController();
    const rebuilding = service.command('rebuild').finally(() => over.abort());
    const meanwhile: object[] = [];
    const read = async (): Promise<void> => {
      while (!over.signal.aborted) meanwhile.push(await answers(service));
    };
    await Promise.all([read(), read(), read()]);
    const { code, output } = await rebuilding;
    expect([code, output]).toEqual([0, output]);
    for (const version of versions) {
      expect(output).toMatch(new RegExp(`${version.replace(/_v1$/, '')}: rebuilt from \\d+ events`));
    }
    expect(meanwhile.length).toBeGreaterThan(1);
    for (const answered of meanwhile) expect(answered).toEqual(before);
    expect(await answers(service)).toEqual(before);
    expect(await rows()).toEqual(stored);
    expect(versions).toEqual(
      expect.arrayContaining(['api_key_v1', 'catalog_v1', 'data_source_v1', 'tag_v1']),
    );
    expect(await schemas()).toEqual(versions.map((version) => version.replace(/_v1$/, '_v2')));
  });

  it('leaves a service that goes on: what is written afterwards is read', async () => {
    const made = await crawl(service, `${site.origin}/`, { name: 'After' });
    await ended(service, made.id);
    expect((await sourcesOf(service, made.id)).length).toBe(34);
    const deletion = await service.api('DELETE', `/crawls/${made.id}`);
    const seen = { 'x-min-position': deletion.headers.get('x-position') ?? '' };
    const { body } = await service.api('GET', `/sources?source_group_id=${made.id}`, undefined, seen);
    expect(body.sources).toEqual([]);
  });

  it('of one view leaves the others as they are, and refuses a name that it does not know', async () => {
    const one = await service.command('rebuild', 'api_key');
    expect([one.code, one.output.includes('catalog')]).toEqual([0, false]);
    const none = await service.command('rebuild', 'no_such_view');
    expect([none.code, none.output.includes('there are data_source')]).toEqual([2, true]);
  });

  it('without a service does the same, and the next start answers as the last one did', async () => {
    const before = await answers(service);
    await service.end('SIGTERM');
    const { code, output } = await service.command('rebuild');
    expect([code, output.includes('catalog: rebuilt from')]).toEqual([0, true]);
    service = await service.again();
    expect(await answers(service)).toEqual(before);
  });
});
