import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { CRAWL, ended, gone, until } from '../support/crawls.ts';
import { openJourney, type Tenant } from '../support/journey.ts';
import { page, type Site } from '../support/site.ts';

const journey = openJourney();
let service: Tenant;
let site: Site;
beforeAll(async () => {
  site = await journey.site({ '/': page('Start', 'one page') });
  service = await journey.tenant();
}, 120_000);

const post = (key: string, more: object = {}) =>
  service.api(
    'POST',
    '/crawls',
    { ...CRAWL, start_url: `${site.origin}/`, ...more },
    { 'idempotency-key': key },
  );
const seen = (path: string, position: string | null) =>
  service.api('GET', path, undefined, { 'x-min-position': position ?? '' });

describe('a POST with an Idempotency-Key', { timeout: 180_000 }, () => {
  it('answers the first answer again, also after the job has ended and the crawl is gone', async () => {
    const key = randomUUID();
    const first = await post(key);
    expect(first.status).toBe(201);
    const again = await post(key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    const marks = [first, again].map(({ headers }) => headers.get('idempotent-replayed'));
    expect(marks).toEqual([null, 'true']);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    await ended(service, first.body.id);
    expect((await post(key)).body).toEqual(first.body);
    await service.api('DELETE', `/crawls/${first.body.id}`);
    await until(service, first.body.id, ['DataSourceDeleted']);
    await gone(service, first.body.id);
    const late = await post(key);
    expect([late.status, late.body]).toEqual([201, first.body]);
    expect((await service.api('GET', `/crawls/${first.body.id}`)).status).toBe(404);
  });

  it('makes one crawl of ten that race', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(key, { name: key })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const fresh = answers.filter(({ headers }) => !headers.has('idempotent-replayed'));
    expect(fresh).toHaveLength(1);
    await ended(service, answers[0]!.body.id);
    await seen('/crawls', answers[0]!.headers.get('x-position'));
    const crawls = await Array.fromAsync(service.all('/crawls'));
    expect(crawls.filter(({ name }) => name === key)).toHaveLength(1);
  });
});

describe('every other POST that creates', { timeout: 180_000 }, () => {
  const body = { rules: [{ name: 'email', kind: 'email' }], applies_to: ['ingestion'] };
  it.each([
    ['/tags', { name: 'a tag' }, { name: 'another tag' }],
    ['/authz-policies', { name: 'a_policy' }, { name: 'another_policy' }],
    ['/redaction-policies', { name: 'r', ...body }, { name: 's', ...body }],
    ['/api-keys', { name: 'r', scopes: ['audit:read'] }, { name: 's', scopes: ['audit:read'] }],
  ])('%s says that an answer is one that was given before', async (path, first, second) => {
    const sent = (key: string, what: object) => service.api('POST', path, what, { 'idempotency-key': key });
    const key = randomUUID();
    const [made, again, other] = [await sent(key, first), await sent(key, first), await sent(key, second)];
    expect([made.status, again.status, other.status]).toEqual([201, 201, 409]);
    expect(again.headers.get('location')).toBe(made.headers.get('location'));
    const marks = [made, again].map(({ headers }) => headers.get('idempotent-replayed'));
    expect(marks).toEqual([null, 'true']);
    // A key is shown once.
    expect([path, typeof made.body.key, again.body.key]).toEqual([
      path,
      path === '/api-keys' ? 'string' : 'undefined',
      undefined,
    ]);
  });
});

describe('a read that sends back the position of a write', { timeout: 180_000 }, () => {
  it.each([
    ['/tags', 'tags', 100, (name: string) => ({ name })],
    ['/crawls', 'crawls', 25, (name: string) => ({ ...CRAWL, start_url: `${site.origin}/`, name })],
  ] as const)(
    'sees the write to %s, in the record and first in the list, again and again',
    async (path, rows, times, bodyOf) => {
      for (let i = 0; i < times; i++) {
        const name = `${rows} ${i}`;
        const made = await service.api('POST', path, bodyOf(name));
        const position = made.headers.get('x-position');
        const { body } = await seen(`${path}/${made.body.id}`, position);
        expect(body.name).toBe(name);
        const list = await seen(`${path}?limit=1`, position);
        expect(list.body[rows][0].id).toBe(made.body.id);
      }
    },
  );

  it('sees a deletion', async () => {
    const made = await post(randomUUID());
    const deleted = await service.api('DELETE', `/crawls/${made.body.id}`);
    const { status, body } = await seen(`/crawls/${made.body.id}`, deleted.headers.get('x-position'));
    expect(status === 404 || body.status === 'deleting').toBe(true);
  });
});
