import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { all, crawl, ended } from '../support/crawls.ts';
import { withKey } from '../support/client.ts';
import { openJourney } from '../support/journey.ts';
import { EVERY_SCOPE, issued } from '../support/keys.ts';
import { onDisk } from '../support/on-disk.ts';
import type { Service } from '../support/service.ts';
import { page, type PageAnswer, type Site } from '../support/site.ts';

const PASSWORD = 'pa55w0rdOfTheJourney';
const to =
  (location: string): PageAnswer =>
  (_, response) =>
    response.writeHead(302, { location }).end();

const journey = openJourney();
let service: Service;
let site: Site;
let id: string;
let issuedKey: string;
/** Everything that was answered, as text. */
const answers: string[] = [];

const ask = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
  const answer = await withKey(service, issuedKey).api(method, path, body, headers);
  answers.push(JSON.stringify([answer.body, [...answer.headers]]));
  return answer;
};

beforeAll(async () => {
  site = await journey.site({
    '/': page('Start', 'where all begins', [
      '/http',
      '/relative',
      '/ftp',
      '/broken',
      '/opaque',
      '/hop',
      '/gone',
    ]),
    '/http': to(`http://user:${PASSWORD}@127.0.0.1:1/private?x=1`),
    '/relative': to(`//user:${PASSWORD}@example.com/private`),
    '/ftp': to(`ftp://user:${PASSWORD}@example.com/private`),
    '/broken': to(`http://user:${PASSWORD}@example.com:99999/`),
    '/opaque': to(`jar:http://user:${PASSWORD}@example.com/!/a`),
    '/hop': to('/http'),
    '/robots.txt': `User-agent: *\nSitemap: http://user:${PASSWORD}@127.0.0.1/sitemap.xml\n`,
  });
  service = await journey.service({ KNOWLEDGER_ALLOW_ADDRESSES: site.host, KNOWLEDGER_LOG_FORMAT: 'json' });
  issuedKey = (await issued(service, { name: 'full', scopes: EVERY_SCOPE })).key;
  const started = withKey(service, issuedKey);
  id = (await crawl(started, `${site.origin}/`)).id;
  await ended(started, id);
  const failing = await crawl(started, `${site.origin}/http`, { name: 'fails at its start' });
  answers.push(JSON.stringify(await ended(started, failing.id)));
  await ask('GET', `/crawls/${failing.id}`);
}, 120_000);

describe('the errors of a crawl', { timeout: 180_000 }, () => {
  it('are sentences that neither repeat the page nor hold a code or a password', async () => {
    const errors = await all(withKey(service, issuedKey), `/crawls/${id}/errors`, 'errors');
    answers.push(JSON.stringify(errors));
    const told = Object.fromEntries(
      errors.map(({ locator, message }) => [locator.slice(site.origin.length), message]),
    );
    const refused = 'with a user name or a password, which is not followed';
    expect(told).toEqual({
      '/http': `it redirects to an address ${refused}: http://127.0.0.1:1/private?x=1`,
      '/relative': `it redirects to an address ${refused}: http://example.com/private`,
      '/ftp': 'it redirects to an address that is neither http nor https, which is not followed',
      '/broken': 'it redirects to an address that is no URL, which is not followed',
      '/opaque': 'it redirects to an address that is neither http nor https, which is not followed',
      '/hop': `it redirects to ${site.origin}/http, and there it redirects to an address ${refused}: http://127.0.0.1:1/private?x=1`,
      '/gone': 'the server answered 404 (Not Found)',
    });
    for (const { code, message } of errors) expect(message).not.toContain(code);
  });
});

describe('a secret', { timeout: 180_000 }, () => {
  it('is in no event, answer, line of the service or file on disk', async () => {
    const startUrl = `http://user:${PASSWORD}@${site.host}/`;
    const refused = await ask('POST', '/crawls', {
      name: 'x',
      start_url: startUrl,
      max_depth: 1,
      max_num_files: 1,
    });
    expect([refused.status, refused.body.error.type]).toEqual([400, 'invalid_request']);
    const { body: list } = await ask('GET', '/api-keys?limit=100');
    const lines = { accept: 'application/x-ndjson' };
    const { body: events } = await ask('GET', '/events', undefined, lines);
    expect(events).toContain('SourceFailed');
    expect(events).not.toContain('key_hash');
    await ask('GET', `/crawls/${id}/events?limit=100`);
    await ask('GET', '/sources?limit=100');
    await ask('POST', '/search', { query: PASSWORD.slice(0, 3) });
    await ask('GET', '/crawls', undefined, { 'x-api-key': `${issuedKey}x` });
    const own = list.api_keys.find(({ name }: { name: string }) => name === 'full');
    const rotated = await withKey(service, service.key).api('POST', `/api-keys/${own.id}/rotate`);
    expect(rotated.status).toBe(200);
    await service.end('SIGTERM'); // what was in memory lies on disk now
    const files = await onDisk(service.dataDir);
    const within = (folder: string) =>
      files.filter(({ path }) => path.startsWith(join(service.dataDir, folder))).map(({ text }) => text);
    // Each with a word that is no secret: it shows that a search of the place finds what is there.
    const places = [
      ['answers', answers, id],
      ['events', [events], id],
      ['output', [service.output()], 'listening on'],
      ['database', within('postgres'), id],
      ['files', within('files'), 'where all begins'],
      ['disk', files.map(({ text }) => text), id],
    ] as const;
    const secrets = [PASSWORD, issuedKey, service.key, rotated.body.key];
    for (const [place, texts, plain] of places) {
      const found = [...secrets, plain].map((word) => texts.some((text) => text.includes(word)));
      expect([place, found]).toEqual([place, [...secrets.map(() => false), true]]);
    }
  });
});
