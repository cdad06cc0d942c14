import { join } from 'node:path';
import { beforeAll, describe, expect, it, afterAll } from 'vitest';
import { crawl, ended } from '../support/crawls.ts';
import { withKey, type Answer } from '../support/client.ts';
import { openJourney } from '../support/journey.ts';
import { EVERY_SCOPE, issued } from '../support/keys.ts';
import { onDisk } from '../support/on-disk.ts';
import { type Service, startService } from '../support/service.ts';
import { page, type PageAnswer, type Site } from '../support/site.ts';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { openOtlpSink } from '../support/otlp-sink.ts';
import { placesWith } from '../support/places.ts';
import { RSA } from '../support/rsa-key.ts';

describe('secrets of sites', () => {
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
      const errors = await Array.fromAsync(
        withKey(service, issuedKey).all('/crawls/{id}/errors', { path: { id } }),
      );
      answers.push(JSON.stringify(errors));
      const told = Object.fromEntries(
        errors.map(({ locator, message }) => [locator.slice(site.origin.length), message]),
      );
      const refused = 'with a user name or a password; such redirects are not followed';
      expect(told).toEqual({
        '/http': `it redirects to an address ${refused}: http://127.0.0.1:1/private?x=1`,
        '/relative': `it redirects to an address ${refused}: http://example.com/private`,
        '/ftp': 'it redirects to an address that is neither http nor https; such redirects are not followed',
        '/broken': 'it redirects to an address that is not a URL; such redirects are not followed',
        '/opaque':
          'it redirects to an address that is neither http nor https; such redirects are not followed',
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
});

describe('secrets', { timeout: 180_000 }, () => {
  /** Letters and digits alone, so that every place writes it as it is. */
  const mark = (name: string): string => `${name}x${randomBytes(12).toString('hex')}`;
  const keyBody = RSA.pkcs8.split('\n')[5]!;
  const marks = {
    token: mark('tok'),
    replaced: mark('new'),
    password: mark('pass'),
    clientSecret: mark('client'),
    refreshToken: mark('refresh'),
    refused: mark('refused'),
    unknown: mark('unknown'),
    broken: mark('broken'),
  };
  const MASTER_KEY = randomBytes(32).toString('base64');
  /** Not secret: found wherever names are, which shows that it is looked for there. */
  const NAME = mark('name');

  let sink: Awaited<ReturnType<typeof openOtlpSink>>;
  let service: Service;
  const answers: string[] = [];
  const ids: Record<string, string> = {};

  const ask = async (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> => {
    const answer = await service.api(method, path, body, headers);
    answers.push(JSON.stringify([answer.status, answer.body, [...answer.headers]]));
    return answer;
  };
  const VALUES: { readonly [type: string]: unknown } = {
    token: marks.token,
    basic: { username: 'jo', password: marks.password },
    oauth_refresh: { client_id: 'c', client_secret: marks.clientSecret, refresh_token: marks.refreshToken },
    service_account: { type: 'service_account', client_email: 'a@b.example', private_key: RSA.pkcs8 },
    app: { app_id: 7, installation_id: 8, private_key: RSA.pkcs1 },
  };

  beforeAll(async () => {
    sink = await openOtlpSink();
    service = await startService({
      KNOWLEDGER_MASTER_KEY: MASTER_KEY,
      KNOWLEDGER_LOG_FORMAT: 'json',
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.endpoint,
    });
    for (const [type, value] of Object.entries(VALUES)) {
      const made = await ask('POST', '/secrets', { name: `${NAME} ${type}`, type, value });
      if (made.status !== 201) throw new Error(`${type}: ${JSON.stringify(made.body)}`);
      ids[type] = made.body.id;
    }
  }, 120_000);
  afterAll(async () => {
    await service.dispose();
    sink.close();
  });

  it('are changed in what is named: name, value or expiry, and never in their type', async () => {
    const id = ids['token'];
    const expires_at = 4_000_000_000;
    const changed = await ask('PUT', `/secrets/${id}`, { value: marks.replaced, expires_at });
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining({ id, expires_at })]);
    const back = await ask('PUT', `/secrets/${id}`, { expires_at: null });
    expect(back.body).not.toHaveProperty('expires_at');
    expect((await ask('PUT', `/secrets/${id}`, {})).status).toBe(400);
    const other = await ask('PUT', `/secrets/${id}`, { type: 'basic', value: `jo:${marks.refused}` });
    expect([other.status, other.body.error.type]).toEqual([400, 'invalid_request']);
  });

  it('that cannot be read are refused without a word of them', async () => {
    const bodies = [
      { name: 'x', type: 'token', value: `${marks.broken}\n.` },
      { name: 'x', type: 'token', value: [marks.broken] },
      { name: 'x', type: 'token', value: { token: marks.broken, more: marks.broken } },
      { name: 'x', type: 'basic', value: marks.broken },
      { name: 'x', type: 'oauth_refresh', value: `{"client_id":"${marks.broken}"` },
      { name: 'x', type: 'service_account', value: { client_email: 'a', private_key: marks.broken } },
      { name: 'x', type: 'no such type', value: marks.broken },
      { name: 'x', type: 'token', value: marks.broken, note: marks.unknown },
    ];
    for (const body of bodies) expect((await ask('POST', '/secrets', body)).status).toBe(400);
    const cut = await fetch(`${service.base}/api/v1/secrets`, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body: `{"name":"x","type":"token","value":"${marks.broken}`,
    });
    answers.push(await cut.text());
    expect(cut.status).toBe(400);
  });

  it('have an audit trail of what was done, by whom, and not of what they are', async () => {
    const { body } = await ask('GET', `/events?stream=secret-${ids['token']}&limit=100`);
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
      'SecretCreated',
      'SecretChanged',
      'SecretValueReplaced',
      'SecretChanged',
    ]);
    expect(body.events[0]).toMatchObject({ actor: { kind: 'api_key' }, data: { name: `${NAME} token` } });
    await ask('GET', '/events?limit=100');
  });

  it('stand nowhere: in no answer, event, table, trace, line of the log or file', async () => {
    const hidden = [...Object.values(marks), keyBody, MASTER_KEY];
    const encoded = hidden.flatMap((text) => [
      text,
      Buffer.from(text).toString('hex'),
      Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -2),
    ]);
    const plain = encoded.filter((text) => /^\w+$/.test(text));
    expect(await placesWith(service, [NAME])).toEqual(expect.arrayContaining(['the event store']));
    expect(await placesWith(service, plain)).toEqual([]);
    await service.end('SIGTERM'); // what was in memory lies on disk now, and spans are sent
    const files = await readdir(service.dataDir, { recursive: true, withFileTypes: true });
    const stored = await Promise.all(
      files
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')),
    );
    const places = { answers, traces: sink.bodies, output: [service.output()], onDisk: stored };
    for (const [place, texts] of Object.entries(places)) {
      const found = encoded.filter((text) => texts.some((one) => one.includes(text)));
      expect([place, found]).toEqual([place, []]);
    }
    // The same search finds what is no secret.
    expect(answers.some((text) => text.includes(NAME))).toBe(true);
    expect(sink.bodies.some((text) => text.includes('POST /api/v1/secrets'))).toBe(true);
    expect(service.output()).toContain('listening');
    // Where a server keeps the data, its tables were searched above.
    const filesWithName = stored.filter((text) => text.includes(NAME)).length;
    expect(filesWithName > 1).toBe(service.backing.database === null);
  });
});
