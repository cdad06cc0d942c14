import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Backing, openBacking, openEmptyBacking, type Store } from '../support/backing.ts';
import { crawl, ended, pathsOf, sourcesOf } from '../support/crawls.ts';
import { eventually } from '../support/eventually.ts';
import { readiness } from '../support/health.ts';
import { copyFolder, endOfLog, inServer, restoreEvents, stripViews } from '../support/restoring.ts';
import { type Service, startService } from '../support/service.ts';
import { openSite, page, type Site } from '../support/site.ts';
import { contentsOf, synced } from '../support/sync.ts';
import { VIEWS } from '../support/views.ts';

const LINKS = ['/a', '/b', '/c', '/gone', '/unlinked', '/changed'];
const PAGES = {
  '/': page('Start', 'where falcons begin', LINKS),
  '/a': page('A', 'falcons of the north', ['/d']),
  '/b': page('B', 'falcons of the south'),
  '/c': page('C', 'falcons of the east'),
  '/d': page('D', 'falcons of the deep'),
  '/gone': page('Gone', 'falcons that leave'),
  '/unlinked': page('Unlinked', 'falcons that nobody names'),
  '/changed': page('Changed', 'falcons as they were'),
};
/** What a sync must find: one page changed, one gone, one that nothing leads to any more, the others as they were. */
const alter = (site: Site): void => {
  site.pages.set('/changed', page('Changed', 'falcons as they are now'));
  site.pages.delete('/gone');
  site.pages.set(
    '/',
    page(
      'Start',
      'where falcons begin',
      LINKS.filter((link) => link !== '/unlinked'),
    ),
  );
};
const AFTERWARDS = ['/', '/a', '/b', '/c', '/changed', '/d'];
/** All views, as `/readyz` names them. */
const EVERY_VIEW = VIEWS.map((view) => `projection ${view}`);

/** What it says of a log that is not the known one. */
const LOG = 'event log';

let site: Site;
let folder: string;
let services: Service[];
let backings: Backing[];
beforeEach(async () => {
  [site, folder, services, backings] = [await openSite(PAGES), await mkdtemp(join(tmpdir(), 'kn-')), [], []];
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.end('SIGTERM')));
  await Promise.all([site.close(), ...backings.map((backing) => backing.close())]);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const on = async (store: Store, open: typeof openEmptyBacking = openBacking): Promise<Backing> => {
  const backing = await open(store);
  backings.push(backing);
  return backing;
};
const start = async (name: string, backing: Backing): Promise<Service> => {
  const dataDir = join(folder, name);
  await mkdir(dataDir, { recursive: true });
  const service = await startService({ KNOWLEDGER_ALLOW_ADDRESSES: site.host }, { dataDir, backing });
  services.push(service);
  return service;
};
const ready = async ({ base }: Service) => {
  const response = await fetch(`${base}/readyz`);
  return [
    response.status,
    ((await response.json()) as { reasons: { readonly [what: string]: string } }).reasons,
  ] as const;
};
/** Asks until the read models have seen everything up to a position. */
const seen = async (service: Service, position: string): Promise<void> => {
  const header = { 'x-min-position': position };
  const ask = () =>
    Promise.all(['/sources', '/crawls'].map((path) => service.api('GET', path, undefined, header)));
  await eventually(ask, (answers) => answers.every(({ status }) => status === 200));
};
/**
 * What reads answer. The next occurrence of a schedule and the last use of a key depend on when they are asked, positions
 * on the server that has the log.
 */
const answers = async (service: Service) => {
  const search = await service.api('POST', '/search', { query: 'falcons of the deep', limit: 20 });
  const crawls = await Array.fromAsync(service.all('/crawls'));
  return {
    crawls,
    sources: await Array.fromAsync(service.all('/sources')),
    keys: (await Array.fromAsync(service.all('/api-keys'))).map((key) => ({ ...key, last_used_time: null })),
    contents: await service.post('/query', { body: { limit: 100, sort: 'title' } }),
    found: search.body.results.map(({ content }: { content: object }) => content),
    trails: await Promise.all(
      crawls.map(async ({ id }) => {
        const events = await Array.fromAsync(service.all('/crawls/{id}/events', { path: { id } }));
        return events.map((event) => ({ ...event, position: null }));
      }),
    ),
  };
};
/** Writes to one document; answers the position of that. */
const labelled = async (service: Service, id: string): Promise<string> => {
  const [source] = await sourcesOf(service, id);
  const records = [{ key: 'team', val: 'red' }];
  const { headers } = await service.api('PUT', `/sources/${source!.id}/metadata`, { records });
  return headers.get('x-position') ?? '';
};
const syncAgain = async (service: Service, id: string) => {
  const body = await service.get('/crawls/{id}/events', { path: { id }, query: { limit: 100 } });
  const { status } = await service.api('POST', `/crawls/${id}/sync`, { mode: 'incremental' });
  expect(status).toBe(202);
  return (await ended(service, id, body.events.at(-1)!.revision)).at(-1);
};
const urlOf = ({ database }: Backing): string => database ?? '';

describe('a backup', { timeout: 240_000 }, () => {
  it('that is a copy of the data directory of a stopped service starts elsewhere, and goes on', async () => {
    const backing = await on('embedded');
    const first = await start('first', backing);
    const { id } = await synced(first, site);
    await labelled(first, id);
    const before = await answers(first);
    await first.end('SIGTERM');
    await copyFolder(join(folder, 'first'), join(folder, 'second'));
    await rm(join(folder, 'first'), { recursive: true });

    const second = await start('second', backing);
    expect(await answers(second)).toEqual(before);
    alter(site);
    expect((await syncAgain(second, id)).data.counts).toMatchObject({ indexed: 2, unchanged: 4 });
    expect(await pathsOf(second, site, id)).toEqual(AFTERWARDS);
  });

  it('of events and files alone is enough: the views make themselves, and a sync finds what has changed', async () => {
    const [one, other] = [await on('postgres'), await on('postgres', openEmptyBacking)];
    const first = await start('first', one);
    const { id } = await synced(first, site);
    await labelled(first, id);
    const before = await answers(first);
    const kept = await contentsOf(first, `${site.origin}/b`);
    await first.end('SIGTERM');
    await restoreEvents(urlOf(one), urlOf(other));
    await mkdir(join(folder, 'second'));
    await copyFolder(join(folder, 'first', 'files'), join(folder, 'second', 'files'));

    const second = await start('second', other);
    await seen(second, await endOfLog(urlOf(other)));
    expect(await answers(second)).toEqual(before);
    expect(await ready(second)).toEqual([200, {}]);
    alter(site);
    expect((await syncAgain(second, id)).data.counts).toMatchObject({ indexed: 2, unchanged: 4 });
    expect(await pathsOf(second, site, id)).toEqual(AFTERWARDS);
    expect(await contentsOf(second, `${site.origin}/b`)).toEqual(kept);
    expect([...(await contentsOf(second, `${site.origin}/changed`)).keys()].join()).toContain('are now');
  });

  it('of a database without read models and work starts as the whole one does', async () => {
    const backing = await on('postgres');
    const first = await start('first', backing);
    await synced(first, site);
    const before = await answers(first);
    await first.end('SIGTERM');
    await inServer(urlOf(backing), stripViews);

    const second = await start('first', backing);
    await seen(second, await endOfLog(urlOf(backing)));
    expect(await answers(second)).toEqual(before);
  });

  it('of EventStoreDB and files alone is enough too, with a new and empty database', async () => {
    const [one, other] = [await on('eventstoredb'), await on('postgres', openEmptyBacking)];
    const first = await start('first', one);
    const { id } = await synced(first, site);
    const position = await labelled(first, id);
    await seen(first, position);
    const before = await answers(first);
    await first.end('SIGTERM');

    const second = await start('first', { ...one, env: { ...one.env, ...other.env } });
    await seen(second, position);
    expect(await answers(second)).toEqual(before);
    expect(await ready(second)).toEqual([200, {}]);
  });

  it('of read models is told from an EventStoreDB that has seen less', async () => {
    const [one, other] = [await on('eventstoredb'), await on('eventstoredb')];
    const first = await start('first', one);
    const { id } = await synced(first, site);
    await seen(first, await labelled(first, id));
    await first.end('SIGTERM');

    const env = { ...one.env, EVENTSTORE_URL: other.env['EVENTSTORE_URL'] ?? '' };
    const second = await start('first', { ...one, env });
    const [status, reasons] = await ready(second);
    const told = [LOG, ...EVERY_VIEW].toSorted();
    expect([status, Object.keys(reasons).toSorted()]).toEqual([503, told]);
    for (const view of EVERY_VIEW) expect(reasons[view]).toContain('ahead of the event log');
    // Nothing was written to the wrong one, not even a first key.
    expect(other.standIn?.log.records.filter(({ stream }) => !stream.startsWith('$'))).toEqual([]);
    // Nothing was taken from the views: with the right store again, one rebuild makes them good.
    await second.end('SIGTERM');
    const third = await start('first', one);
    expect(third.output()).toContain('keys are not up to date: their view is halted');
    expect((await third.command('rebuild')).code).toBe(0);
    expect(await ready(third)).toEqual([200, {}]);
    expect(await Array.fromAsync(third.all('/sources'))).toHaveLength(8);
  });

  it('of events that is older than the views is noticed, and mended by a rebuild', async () => {
    const backing = await on('postgres');
    const first = await start('first', backing);
    const { id } = await synced(first, site);
    const before = await answers(first);
    const end = await endOfLog(urlOf(backing));
    alter(site);
    await syncAgain(first, id);
    await crawl(first, `${site.origin}/`, { name: 'Unheard of' }).then((made) => ended(first, made.id));
    await first.end('SIGTERM');
    await inServer(urlOf(backing), (client) =>
      client.query('DELETE FROM es.events WHERE (tx, pos) > ($1::bigint, $2::bigint)', end.split(':')),
    );

    const second = await start('first', backing);
    const told = 'halted: the view is ahead of the event log';
    const [status, reasons] = await ready(second);
    const due = [LOG, ...EVERY_VIEW].toSorted();
    expect([status, Object.keys(reasons).toSorted()]).toEqual([503, due]);
    for (const view of EVERY_VIEW) expect(reasons[view]).toContain(told);
    expect(second.output()).toContain('projection halted');
    // What would be written now lay beyond the end of the log, and maybe before the checkpoints.
    const refused = await second.api('POST', '/api-keys', { name: 'n', scopes: ['knowledge:read'] });
    expect([refused.status, refused.body.error.type]).toEqual([503, 'event_log_changed']);
    await second.end('SIGTERM');

    const third = await start('first', backing);
    expect((await ready(third))[0]).toBe(503);
    const { code } = await third.command('rebuild');
    expect(code).toBe(0);
    await eventually(
      () => readiness(third),
      (now) => now.status === 200,
    );
    const { headers } = await third.api('POST', '/api-keys', { name: 'n', scopes: ['knowledge:read'] });
    await seen(third, headers.get('x-position') ?? '');
    const after = await answers(third);
    expect([after.crawls, after.keys.length]).toEqual([before.crawls, before.keys.length + 1]);
    expect(after.sources.map(({ url }) => url)).toEqual(before.sources.map(({ url }) => url));

    // What the work tables say of pages is newer than the log: it must go too.
    await inServer(urlOf(backing), (client) => client.query('TRUNCATE work.crawl_page, work.work_lease'));
    await syncAgain(third, id);
    expect(await pathsOf(third, site, id)).toEqual(AFTERWARDS);
    expect([...(await contentsOf(third, `${site.origin}/changed`)).keys()].join()).toContain('are now');
  });
});
