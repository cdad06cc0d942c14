import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../composition/config.ts';

const read = (env: { readonly [name: string]: string }) => () => readConfig(env, true);

describe('the configuration', () => {
  it.each([
    ['HOST', 'two words'],
    ['HOST', 'http://127.0.0.1'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['DATABASE_URL', 'mysql://x/y'],
    ['DATABASE_URL', 'postgres'],
    ['FILES_URL', '/var/files'],
    ['FILES_URL', 's3://me:mine@files/'],
    ['FILES_URL', 's3://files/?endpoint=host:9000'],
    ['KNOWLEDGER_BOOTSTRAP_KEY', 'short'],
    ['KNOWLEDGER_BROWSER', 'chromium'],
    ['KNOWLEDGER_BROWSER', '/nowhere/chromium'],
    ['KNOWLEDGER_BROWSER_MEMORY_MB', '64'],
    ['KNOWLEDGER_BROWSER_PAGES', '0'],
    ['KNOWLEDGER_BROWSER_SANDBOX', 'maybe'],
    ['KNOWLEDGER_MASTER_KEY', 'c2hvcnQ='],
    ['KNOWLEDGER_MASTER_KEY', '0123456789abcdef0123456789abcdef'],
    ['KNOWLEDGER_MASTER_KEY', 'kms:alias/knowledger'],
    ['KNOWLEDGER_ALLOW_ADDRESSES', 'localhost'],
    ['KNOWLEDGER_ALLOW_ADDRESSES', '10.0.0.0/8, http://127.0.0.1:80'],
    ['KNOWLEDGER_ALLOW_ADDRESSES', '10.0.0.0/33'],
    ['KNOWLEDGER_ALLOW_ADDRESSES', '127.0.0.1:70000'],
    ['KNOWLEDGER_PUBLIC_URL', 'kb.example.com'],
    ['KNOWLEDGER_PUBLIC_URL', 'https://jo:pw@kb.example.com'],
    ['KNOWLEDGER_PUBLIC_URL', 'https://kb.example.com/?a=b'],
    ['KNOWLEDGER_CORS_ORIGINS', 'app.example.com'],
    ['KNOWLEDGER_CORS_ORIGINS', 'https://app.example.com/'],
    ['KNOWLEDGER_CORS_ORIGINS', 'https://App.example.com'],
    ['KNOWLEDGER_CORS_ORIGINS', 'https://app.example.com:443'],
    ['KNOWLEDGER_CORS_ORIGINS', 'https://*.example.com'],
    ['KNOWLEDGER_CORS_ORIGINS', 'https://app.example.com,*'],
    ['KNOWLEDGER_CORS_ORIGINS', 'https://jo:pw@app.example.com'],
    ['KNOWLEDGER_CORS_ORIGINS', 'null'],
    ['KNOWLEDGER_CORS_ORIGINS', 'file:///'],
    ['KNOWLEDGER_WORKER_SLOTS', '0'],
    ['KNOWLEDGER_AGENT_SLOTS', '0'],
    ['KNOWLEDGER_DRAIN_MS', '-1'],
    ['KNOWLEDGER_DRAIN_MS', '600001'],
    ['KNOWLEDGER_CRAWL_CONCURRENCY', 'many'],
    ['KNOWLEDGER_CRAWL_DELAY_MS', '1.5'],
    ['KNOWLEDGER_CRAWL_MAX_BYTES', '10'],
    ['KNOWLEDGER_USER_AGENT', 'bot/1\r\nx: y'],
    ['KNOWLEDGER_USER_AGENT', 'bót/1'],
    ['KNOWLEDGER_EXTRACTORS', '1e3'],
    ['KNOWLEDGER_LOG_FORMAT', 'xml'],
    ['KNOWLEDGER_LOG_LEVEL', 'loud'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
    ['KNOWLEDGER_METRICS_PORT', '3000'],
    ['EMBEDDINGS_URL', 'http://127.0.0.1:1/v1'],
    ['EMBEDDINGS_URL', 'ftp://host/v1'],
    ['EMBEDDINGS_MODEL', 'small'],
    ['EMBEDDINGS_API_KEY', 'sk-alone'],
    ['WEB_SEARCH_URL', 'search.example'],
    ['RERANK_URL', 'ftp://models.example/v1'],
    ['RERANK_URL', 'https://models.example/v1?model=x'],
    ['WEB_SEARCH_URL', 'ftp://search.example'],
    ['WEB_SEARCH_URL', 'https://search.example/?format=json'],
  ])('refuses %s=%j, and names it', (name, value) => {
    expect(read({ [name]: value })).toThrow(ConfigError);
    expect(read({ [name]: value })).toThrow(name);
  });

  it('has a stop wait for proxies, but not for a person at a terminal', () => {
    expect(readConfig({}, true).drainMs).toBe(0);
    expect(readConfig({}, false).drainMs).toBe(3_000);
    expect(readConfig({ KNOWLEDGER_DRAIN_MS: '500' }, true).drainMs).toBe(500);
  });

  it('takes what is allowed, and says what would be', () => {
    const addresses = '10.0.0.0/8, 127.0.0.1:8080,localhost:8080,[::1]:443';
    const config = read({
      KNOWLEDGER_ALLOW_ADDRESSES: addresses,
      HOST: '::',
      KNOWLEDGER_METRICS_PORT: '9464',
    })();
    expect(config.allowAddresses).toEqual(['10.0.0.0/8', '127.0.0.1:8080', 'localhost:8080', '[::1]:443']);
    expect(config).toMatchObject({ host: '::', port: 3000, metricsPort: 9464 });
    expect(read({ KNOWLEDGER_ALLOW_ADDRESSES: 'localhost' })).toThrow(
      'KNOWLEDGER_ALLOW_ADDRESSES takes CIDR or host:port, separated by commas, such as ' +
        '10.1.0.0/16,127.0.0.1:8080,localhost:8080: allowed address "localhost" is neither CIDR nor host:port',
    );
    const robot = 'knowledgerbot/1.0 (+https://example.com/bot)';
    expect(read({ KNOWLEDGER_USER_AGENT: robot })().crawl.userAgent).toBe(robot);
  });

  it('repeats no value that may hold a password', () => {
    const secret = 'mysql://jo:hunter2@db/x';
    expect(() => readConfig({ DATABASE_URL: secret }, true)).not.toThrow(/hunter2/);
    expect(() => readConfig({ KNOWLEDGER_BOOTSTRAP_KEY: 'hunter2' }, true)).not.toThrow(/hunter2/);
    expect(() => readConfig({ KNOWLEDGER_MASTER_KEY: 'hunter2' }, true)).not.toThrow(/hunter2/);
  });

  it('says of an address with special characters how to write them', () => {
    for (const bad of ['postgres://jo:hunter#2@db/x', 'postgres://jo@[::1/x']) {
      expect(() => readConfig({ DATABASE_URL: bad }, true)).toThrow(/DATABASE_URL is no URL: write special/);
    }
  });
});

describe('a provider of embeddings', () => {
  const place = { EMBEDDINGS_URL: 'https://models.example/v1', EMBEDDINGS_MODEL: 'small' };

  it('is an address and a model, with a key or without', () => {
    expect(read({})().embeddings).toBe(undefined);
    expect(read(place)().embeddings).toEqual({
      url: place.EMBEDDINGS_URL,
      model: 'small',
      key: undefined,
    });
    expect(read({ ...place, EMBEDDINGS_API_KEY: 'sk-1' })().embeddings).toMatchObject({ key: 'sk-1' });
  });

  it.each([
    { ...place, EMBEDDINGS_API_KEY: 'sk with spaces' },
    { ...place, EMBEDDINGS_URL: 'https://me:sk-secret@models.example/v1' },
    { ...place, EMBEDDINGS_MODEL: 'two words' },
  ])('is refused as %j, without telling a secret', (env) => {
    expect(read(env)).toThrow(ConfigError);
    expect(read(env)).not.toThrow(/sk.with|sk-secret/);
  });
});

describe.each(['EMBEDDINGS', 'RERANK'] as const)('a model of this machine for %s', (kind) => {
  const named = (name: string, more = {}) => read({ [`${kind}_MODEL`]: name, ...more });

  it('is a name alone', () => {
    const config = named('local:Xenova/multilingual-e5-small')();
    const { embeddings, rerank } = config;
    expect(kind === 'RERANK' ? rerank : embeddings).toEqual({ local: 'Xenova/multilingual-e5-small' });
    expect(config.modelThreads).toBe(undefined);
    expect(named('local:small', { KNOWLEDGER_MODEL_THREADS: '3' })().modelThreads).toBe(3);
  });

  it.each([
    'local:',
    'local:../up',
    'local:a/../b',
    'local:a/b/c',
    'local:.hidden',
    'local:a--b',
    'local:/etc',
  ])('is not named %s', (name) => {
    expect(named(name)).toThrow(new RegExp(`^${kind}_MODEL takes local:<name>`));
  });

  it.each(['URL', 'API_KEY'])('has no %s', (other) => {
    const env = { [`${kind}_${other}`]: 'https://models.example/v1' };
    expect(named('local:small', env)).toThrow(`which has no ${kind}_${other}`);
    expect(named('local:small', env)).toThrow(ConfigError);
  });
});

describe('a web search', () => {
  const place = { WEB_SEARCH_URL: 'https://search.example/searx' };

  it('is an address, with a key or without', () => {
    expect(read({})().webSearch).toBe(undefined);
    expect(read(place)().webSearch).toEqual({ url: place.WEB_SEARCH_URL, key: undefined });
    expect(read({ ...place, WEB_SEARCH_API_KEY: 'sk-1' })().webSearch?.key).toBe('sk-1');
  });

  it.each([
    { WEB_SEARCH_API_KEY: 'sk-secret' },
    { ...place, WEB_SEARCH_API_KEY: 'sk with spaces' },
    { WEB_SEARCH_URL: 'https://me:sk-secret@search.example' },
  ])('is refused as %j, without telling a secret', (env) => {
    expect(read(env)).toThrow(ConfigError);
    expect(read(env)).not.toThrow(/sk.with|sk-secret/);
  });
});

describe('a reranker', () => {
  const place = { RERANK_URL: 'https://models.example/v2' };

  it('is an address, with a model and a key or without', () => {
    expect(read({})().rerank).toBe(undefined);
    expect(read(place)().rerank).toEqual({ url: place.RERANK_URL, model: undefined, key: undefined });
    const whole = { ...place, RERANK_MODEL: 'rerank-v3.5', RERANK_API_KEY: 'sk-1' };
    expect(read(whole)().rerank).toEqual({ url: place.RERANK_URL, model: 'rerank-v3.5', key: 'sk-1' });
  });

  it.each([
    { RERANK_MODEL: 'rerank-v3.5' },
    { RERANK_API_KEY: 'sk-secret' },
    { ...place, RERANK_MODEL: 'two words' },
    { ...place, RERANK_API_KEY: 'sk with spaces' },
    { RERANK_URL: 'https://me:sk-secret@models.example' },
  ])('is refused as %j, without telling a secret', (env) => {
    expect(read(env)).toThrow(ConfigError);
    expect(read(env)).toThrow(/RERANK_/);
    expect(read(env)).not.toThrow(/sk.with|sk-secret/);
  });
});
