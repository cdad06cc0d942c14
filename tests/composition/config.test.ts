import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../composition/config/config.ts';
import { ConfigError } from '../../composition/config/environment.ts';

const read = (env: { readonly [name: string]: string }) => () => readConfig(env, true);

describe('the configuration', () => {
  it.each([
    ['HOST', 'two words'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['DATABASE_URL', 'mysql://x/y'],
    ['EVENTSTORE_URL', 'http://127.0.0.1:2113'],
    ['EVENTSTORE_STREAM_PREFIX', 'kb-'],
    ['EVENTSTORE_STREAM_PREFIX', 'kb_'],
    ['FILES_URL', '/var/files'],
    ['FILES_URL', 's3://files/?endpoint=host:9000'],
    ['KNOWLEDGER_BOOTSTRAP_KEY', 'short'],
    ['KNOWLEDGER_BROWSER', 'chromium'],
    ['KNOWLEDGER_BROWSER', '/nowhere/chromium'],
    ['KNOWLEDGER_BROWSER_SANDBOX', 'maybe'],
    ['KNOWLEDGER_MASTER_KEY', 'c2hvcnQ='],
    ['KNOWLEDGER_MASTER_KEY', '0123456789abcdef0123456789abcdef'],
    ['KNOWLEDGER_MASTER_KEY', 'kms:alias/knowledger'],
    ['KNOWLEDGER_MASTER_KEY_PREVIOUS', `${'A'.repeat(43)}=`],
    ['KNOWLEDGER_ALLOW_ADDRESSES', '10.0.0.0/8, http://127.0.0.1:80'],
    ['KNOWLEDGER_ALLOW_ADDRESSES', '10.0.0.0/33'],
    ['KNOWLEDGER_PUBLIC_URL', 'kb.example.com'],
    ['KNOWLEDGER_PUBLIC_URL', 'https://jo:pw@kb.example.com'],
    ['KNOWLEDGER_CORS_ORIGINS', 'https://app.example.com/'],
    ['KNOWLEDGER_CORS_ORIGINS', 'https://app.example.com,*'],
    ['KNOWLEDGER_ROLES', 'api,cook'],
    ['KNOWLEDGER_ROLES', 'api'],
    ['KNOWLEDGER_DRAIN_MS', '600001'],
    ['OIDC_ISSUER', 'http://login.example.com'],
    ['OIDC_ISSUER', 'https://login.example.com?a=b'],
    ['OIDC_ISSUER', 'https://login.example.com'],
    ['OIDC_CLIENT_ID', 'knowledger'],
    ['OIDC_TENANT', 'acme'],
    ['OIDC_REQUEST_SCOPES', 'profile email'],
    ['OIDC_SCOPES', 'knowledge:read'],
    ['OIDC_SCOPES', '["knowledge:read"]'],
    ['OIDC_SCOPES', '{"*":"knowledge:read"}'],
    ['OIDC_SCOPES', '{"*":["knowledge:all"]}'],
    ['KNOWLEDGER_CRAWL_CONCURRENCY', 'many'],
    ['KNOWLEDGER_CRAWL_DELAY_MS', '1.5'],
    ['KNOWLEDGER_WIKI_API_URL', 'https://api.example/?token=x'],
    ['KNOWLEDGER_WIKI_REQUESTS_PER_SECOND', '0.0001'],
    ['KNOWLEDGER_USER_AGENT', 'bot/1\r\nx: y'],
    ['KNOWLEDGER_EXTRACTORS', '1e3'],
    ['KNOWLEDGER_LOG_LEVEL', 'loud'],
    ['KNOWLEDGER_SEARCH_MEMORY_MB', '15'],
    ['KNOWLEDGER_SEARCH_THREADS', '65'],
    ['KNOWLEDGER_METRICS_PORT', '3000'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
    ['EVENTS_OTLP_URL', 'collector:4318'],
    ['EVENTS_OTLP_URL', 'https://jo:pw@collector.example/v1/logs'],
    ['EVENTS_OTLP_HEADERS', 'authorization'],
    ['EVENTS_OTLP_HEADERS', 'two words=1'],
    ['EVENTS_OTLP_HEADERS', 'x-key=%zz'],
    ['EVENTS_OTLP_HEADERS', 'x-key=1'],
  ])('refuses %s=%j, and names it', (name, value) => {
    expect(read({ [name]: value })).toThrow(ConfigError);
    expect(read({ [name]: value })).toThrow(name);
  });

  it('takes headers as OpenTelemetry does, and repeats none that is wrong', () => {
    const url = 'https://collector.example/v1/logs';
    const collector = (given: string) =>
      readConfig({ EVENTS_OTLP_URL: url, EVENTS_OTLP_HEADERS: given }, true).collector;
    expect(collector('Authorization=Bearer%20a=b, x-scope = 7')).toEqual({
      url,
      headers: { authorization: 'Bearer a=b', 'x-scope': '7' },
    });
    expect(collector('')).toEqual({ url, headers: {} });
    expect(() => collector('x-key=abc%0a')).toThrow(/^(?!.*abc)/);
  });

  it('has a stop wait for proxies, but not for a person at a terminal', () => {
    expect(readConfig({}, true).drainMs).toBe(0);
    expect(readConfig({}, false).drainMs).toBe(3_000);
    expect(readConfig({ KNOWLEDGER_DRAIN_MS: '500' }, true).drainMs).toBe(500);
  });

  it('takes what is allowed, and what is empty for not set', () => {
    const config = read({
      KNOWLEDGER_ALLOW_ADDRESSES: '10.0.0.0/8, 127.0.0.1:8080,localhost:8080,[::1]:443',
      HOST: '::',
      PORT: '',
      KNOWLEDGER_METRICS_PORT: '9464',
      KNOWLEDGER_PUBLIC_URL: 'https://kb.example.com/a/',
    })();
    expect(config.allowAddresses).toEqual(['10.0.0.0/8', '127.0.0.1:8080', 'localhost:8080', '[::1]:443']);
    expect(config).toMatchObject({ host: '::', port: 3000, metricsPort: 9464 });
    expect(config.publicUrl).toBe('https://kb.example.com/a');
  });

  it('spreads a tenant over fewer shards than there are', () => {
    const of = (shards: string, tenantShards: string) => ({
      OPENSEARCH_URL: 'http://127.0.0.1:9200',
      OPENSEARCH_SHARDS: shards,
      OPENSEARCH_TENANT_SHARDS: tenantShards,
    });
    expect(read(of('4', '3'))().openSearch).toMatchObject({ shards: 4, tenantShards: 3 });
    expect(read(of('1', '1'))().openSearch).toMatchObject({ tenantShards: 1 });
    expect(read(of('3', '3'))).toThrow(
      /OPENSEARCH_TENANT_SHARDS must be less than OPENSEARCH_SHARDS, which is 3/,
    );
  });

  it('says what an allowed address would be', () => {
    expect(read({ KNOWLEDGER_ALLOW_ADDRESSES: 'localhost' })).toThrow(
      'KNOWLEDGER_ALLOW_ADDRESSES takes CIDR or host:port, separated by commas, such as ' +
        '10.1.0.0/16,127.0.0.1:8080,localhost:8080: allowed address "localhost" is neither CIDR nor host:port',
    );
  });

  it.each(['DATABASE_URL', 'EVENTSTORE_URL', 'KNOWLEDGER_BOOTSTRAP_KEY', 'KNOWLEDGER_MASTER_KEY'])(
    'repeats nothing of %s',
    (name) => expect(read({ [name]: 'mysql:hunter2' })).not.toThrow(/hunter2/),
  );

  it('says of an address with special characters how to write them', () => {
    for (const bad of ['postgres://jo:hunter#2@db/x', 'postgres://jo@[::1/x'])
      expect(read({ DATABASE_URL: bad })).toThrow(/DATABASE_URL is not a URL: write special/);
  });
});

describe('the index of searches', () => {
  it('has what is set', () => {
    const { search } = read({ KNOWLEDGER_SEARCH_MEMORY_MB: '100', KNOWLEDGER_SEARCH_THREADS: '7' })();
    expect(search).toEqual({ memoryBytes: 100 * 1_024 ** 2, threads: 7 });
    expect(read({ KNOWLEDGER_SEARCH_MEMORY_MB: '100' })().search.threads).toBe(0);
  });

  it('takes no more than 144 MiB for a thread unless told', () => {
    const { memoryBytes } = read({ KNOWLEDGER_SEARCH_THREADS: '1' })().search;
    expect(memoryBytes).toBe(144 * 1_024 ** 2);
  });
});

describe('the browser of a service', () => {
  /** A folder with a program of this name. */
  const folderWith = (name: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'browser-config-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o700);
    return folder;
  };

  it('is the one that is named, else one of the search path, the one without windows first', () => {
    const path = join(folderWith('my-browser'), 'my-browser');
    expect(read({ KNOWLEDGER_BROWSER: path })().browser).toMatchObject({
      program: { kind: 'installed', path },
      sandbox: true,
    });
    const folders = [folderWith('google-chrome'), folderWith('chromium-headless-shell')];
    expect(read({ PATH: folders.join(':') })().browser.program).toEqual({
      kind: 'installed',
      path: join(folders[1]!, 'chromium-headless-shell'),
    });
  });

  it('is none where it is switched off, and that says how it is switched on', () => {
    const { program, missing } = read({ KNOWLEDGER_BROWSER: 'off', PATH: folderWith('chromium') })().browser;
    expect([program, missing]).toEqual([null, expect.stringContaining('KNOWLEDGER_BROWSER=off')]);
  });
});

describe('the configuration of the sign-in', () => {
  const issuer = {
    OIDC_ISSUER: 'https://login.example.com/',
    OIDC_CLIENT_ID: 'knowledger',
    OIDC_SCOPES: '{"editors":["knowledge:read"],"*":[]}',
  };

  it('is absent where nothing is set, and else takes ID tokens, the groups and the first tenant', () => {
    expect(read({})().signIn).toBeUndefined();
    expect(read(issuer)().signIn).toEqual({
      issuer: 'https://login.example.com/',
      audience: 'knowledger',
      rules: {
        scopesClaim: 'groups',
        scopes: { editors: ['knowledge:read'], '*': [] },
        tenant: { named: '00000000-0000-8000-8000-000000000001' },
      },
      browser: { clientId: 'knowledger', scope: 'openid profile email', token: 'id_token' },
    });
  });

  it('takes access tokens for an audience, and other claims', () => {
    const more = { OIDC_AUDIENCE: 'api://kb', OIDC_SCOPES_CLAIM: 'roles', OIDC_TENANT_CLAIM: 'org' };
    expect(read({ ...issuer, ...more })().signIn).toMatchObject({
      audience: 'api://kb',
      rules: { scopesClaim: 'roles', tenant: { claim: 'org' } },
      browser: { token: 'access_token' },
    });
  });

  it.each([
    [{ OIDC_CLIENT_ID: '' }, /OIDC_ISSUER needs OIDC_CLIENT_ID/],
    [{ OIDC_SCOPES: '' }, /OIDC_ISSUER needs OIDC_SCOPES/],
    [{ OIDC_ISSUER: '' }, /OIDC_CLIENT_ID needs OIDC_ISSUER/],
    [{ OIDC_TENANT: 'a', OIDC_TENANT_CLAIM: 'b' }, /not both/],
  ])('is refused by half: %o', (change, message) => {
    expect(read({ ...issuer, ...change })).toThrow(message);
  });
});
