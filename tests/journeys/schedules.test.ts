import { beforeAll, describe, expect, it } from 'vitest';
import { CRAWL, gone, until } from '../support/crawls.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { page, type Site } from '../support/site.ts';

const journey = openJourney();
let service: Tenant;
let site: Site;
beforeAll(async () => {
  site = await journey.site({ '/': page('Start', 'crawled now and then') });
  service = await journey.tenant();
}, 120_000);

/** Creates a crawl with a rule; answers its id and the path of its setting, once reads show both. */
const scheduled = async (rrule: string | null) => {
  const body = { ...CRAWL, start_url: `${site.origin}/`, rrule };
  const made = await service.api('POST', '/crawls', body);
  const path = `/crawl-settings/${made.body.ingestion_setting_id}`;
  const { status } = await get(path, made.headers.get('x-position') ?? '');
  expect([made.status, status]).toEqual([201, 200]);
  return { id: made.body.id as string, path };
};
const put = async (path: string, body: object) => {
  const answer = await service.api('PUT', path, body);
  return { ...answer, position: answer.headers.get('x-position') ?? '' };
};
const get = (path: string, position: string) =>
  service.api('GET', path, undefined, { 'x-min-position': position });
const occurrences = async (path: string, limit = 3): Promise<readonly number[]> =>
  (await service.api('GET', `${path}/occurrences?limit=${limit}`)).body.occurrences;

describe('a schedule', { timeout: 180_000 }, () => {
  it('is set with the crawl, and says when it fires', async () => {
    const { path } = await scheduled('FREQ=DAILY;BYHOUR=3;BYMINUTE=30;BYSECOND=0');
    const { body } = await service.api('GET', path);
    expect(body).toMatchObject({ name: 'A site', rrule: 'FREQ=DAILY;BYHOUR=3;BYMINUTE=30;BYSECOND=0' });
    const instants = await occurrences(path, 5);
    expect(instants.map((at) => at % 86_400)).toEqual([12_600, 12_600, 12_600, 12_600, 12_600]);
    expect(instants.map((at, i) => at - instants[0]! - i * 86_400)).toEqual([0, 0, 0, 0, 0]);
    expect(instants[0]! * 1_000).toBeGreaterThan(Date.now());
  });

  it('is replaced by PUT, renamed without touching it, and removed by null and by an empty text', async () => {
    const { path } = await scheduled('FREQ=DAILY');
    const before = await occurrences(path);
    const renamed = await put(path, { name: 'Another name' });
    expect([renamed.status, renamed.body.name, renamed.body.rrule]).toEqual([
      200,
      'Another name',
      'FREQ=DAILY',
    ]);
    expect((await get(path, renamed.position)).body).toEqual(renamed.body);
    expect(await occurrences(path)).toEqual(before);
    const replaced = await put(path, { rrule: 'FREQ=WEEKLY;BYDAY=MO' });
    expect(replaced.body.rrule).toBe('FREQ=WEEKLY;BYDAY=MO');
    expect((await get(path, replaced.position)).body).toEqual(replaced.body);
    const weekdays = (await occurrences(path)).map((at) => new Date(at * 1_000).getUTCDay());
    expect(weekdays).toEqual([1, 1, 1]);
    const removed = await put(path, { rrule: null });
    expect([removed.status, removed.body.rrule]).toEqual([200, undefined]);
    expect((await get(path, removed.position)).body).toEqual(removed.body);
    expect(await occurrences(path)).toEqual([]);
  });

  it.each([
    ['FREQ=SECONDLY', 'too often'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'that never fires'],
    ['every monday', 'that is no rule'],
  ])('is refused: %s, %s', async (rrule) => {
    const body = { name: 'x', start_url: `${site.origin}/`, max_depth: 1, max_num_files: 1, rrule };
    const created = await service.api('POST', '/crawls', body);
    expect([created.status, created.body.error?.type]).toEqual([400, 'invalid_rrule']);
    expect(created.body.error.message.length).toBeGreaterThan(10);
    const { path } = await scheduled('FREQ=DAILY');
    const changed = await put(path, { rrule });
    expect([changed.status, changed.body.error?.type]).toEqual([400, 'invalid_rrule']);
    expect((await service.api('GET', path)).body.rrule).toBe('FREQ=DAILY');
  });

  it('ends with its data source', async () => {
    const { id, path } = await scheduled('FREQ=DAILY');
    await service.api('DELETE', `/crawls/${id}`);
    await until(service, id, ['DataSourceDeleted']);
    expect((await put(path, { name: 'too late' })).status).toBe(404);
    await gone(service, id);
    expect((await service.api('GET', path)).status).toBe(404);
    expect((await service.api('GET', `${path}/occurrences`)).status).toBe(404);
  });
});
