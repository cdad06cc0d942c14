import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CASES } from '../adapters/http/every-operation.ts';
import { type Backing, openBacking, type Store } from '../support/backing.ts';
import { crawl, ended, sourcesOf } from '../support/crawls.ts';
import { eventually } from '../support/eventually.ts';
import { measured, unusedAddress } from '../support/health.ts';
import { type Service, startService } from '../support/service.ts';
import { openSeverable, type Severable } from '../support/severable.ts';
import { manyPages, openSite, type Site } from '../support/site.ts';

const PAGES = 60;

let backing: Backing;
let way: Severable;
let site: Site;
let service: Service;
let dataDir: string;
let metrics: URL;
/** A service with a way that can be cut between it and the server which this variable names. */
const open = async (store: Store, variable: 'DATABASE_URL' | 'EVENTSTORE_URL'): Promise<void> => {
  [backing, site, dataDir] = await Promise.all([
    openBacking(store),
    openSite(manyPages(PAGES)),
    mkdtemp(join(tmpdir(), 'knowledger-outage-')),
  ]);
  const url = new URL(backing.env[variable] ?? '');
  way = await openSeverable(url.hostname, Number(url.port));
  const around = backing.env[variable]?.replace(url.host, `127.0.0.1:${way.port}`) ?? '';
  metrics = await unusedAddress();
  service = await startService(
    {
      KNOWLEDGER_ALLOW_ADDRESSES: site.host,
      KNOWLEDGER_METRICS_PORT: metrics.port,
      KNOWLEDGER_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      [variable]: around,
    },
    { dataDir, backing },
  );
};
const close = async (): Promise<void> => {
  await service?.end('SIGTERM');
  await Promise.all([way.close(), site.close()]);
  await Promise.all([backing.close(), rm(dataDir, { recursive: true, force: true })]);
};

const readiness = async () => {
  const response = await fetch(`${service.base}/readyz`);
  const body = (await response.json()) as { readonly reasons: { readonly [what: string]: string } };
  return [response.status, body.reasons] as const;
};
/** The service finds its way back within moments of its own. */
const readyAgain = async (): Promise<void> => {
  await eventually(readiness, ([status]) => status === 200);
};
const everyPageOnce = async (id: string): Promise<void> => {
  const last = (await ended(service, id)).at(-1);
  expect(last).toMatchObject({ type: 'JobSucceeded', data: { counts: { seen: PAGES, failed: 0 } } });
  const sources = await sourcesOf(service, id);
  expect(sources).toHaveLength(PAGES);
  expect(new Set(sources.map(({ url }) => url)).size).toBe(PAGES);
};
/** Lines of the log with this message. */
const told = ({ output }: Service, message: string): string[] =>
  output()
    .split('\n')
    .filter((line) => line.includes(`"message":"${message}"`));
/** Asks for something until it is refused because the outage is known: then all is refused at once. */
const known = async (of: Service, store: string): Promise<void> => {
  await eventually(
    () => readiness(),
    () => told(of, `the ${store} is unavailable`).length > 0,
  );
};
/** Whatever needs a store. */
const OPERATIONS = CASES.filter(({ path }) => path.startsWith('/api/v1/') && path !== '/api/v1/scrape');
/** Every operation of the API, all at once, with ids of nothing: each with its answer's status and `Retry-After`. */
const everyOperation = (): Promise<readonly (readonly [string, number, string | null])[]> =>
  Promise.all(
    OPERATIONS.map(async ({ method, path, ask: { headers, body } }) => {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array;
      const response = await fetch(service.base + path, {
        method,
        headers: {
          'x-api-key': service.key,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && {
          body: isRaw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body),
        }),
      });
      await response.text();
      return [`${method} ${path}`, response.status, response.headers.get('retry-after')] as const;
    }),
  );
const newCrawl = () => ({
  name: 'Another',
  start_url: `${site.origin}/p7`,
  max_depth: 1,
  max_num_files: 1,
});
const REQUESTS: readonly (readonly [string, string, (() => unknown)?])[] = [
  ['GET', '/crawls'],
  ['GET', '/sources'],
  ['GET', '/events'],
  ['POST', '/search', () => ({ query: 'falcons' })],
  ['POST', '/crawls', newCrawl],
];

describe('a service whose database is away', { timeout: 240_000 }, () => {
  beforeAll(() => open('postgres', 'DATABASE_URL'), 60_000);
  afterAll(close);

  it('says so, answers 503 to everything, and goes on by itself with the crawl that was under way', async () => {
    const held = site.holdAfter(PAGES / 2);
    const { id } = await crawl(service, `${site.origin}/`);
    const release = await held;

    way.cut();
    expect(await readiness()).toEqual([503, { database: 'it does not answer' }]);
    expect((await fetch(`${service.base}/healthz`)).status).toBe(200);
    release();
    for (const [method, path, body] of REQUESTS) {
      const answer = await service.api(method, path, body?.());
      expect([method, path, answer.status, answer.body.error?.type]).toEqual([
        method,
        path,
        503,
        'unavailable',
      ]);
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(service.child.exitCode).toBeNull();
    await known(service, 'database');

    way.restore();
    await readyAgain();
    await everyPageOnce(id);
    const [begun, over] = [
      told(service, 'the database is unavailable'),
      told(service, 'the database is available again'),
    ];
    expect([begun.length, over.length]).toEqual([1, 1]);
    expect(over[0]).toMatch(/"seconds":\d/);
    expect(told(service, 'the event store is unavailable')).toEqual([]);
    expect(
      (await service.post('/search', { body: { query: 'number7 falcons' } })).results[0]!.content.url,
    ).toBe(`${site.origin}/p7`);
    await service.post('/crawls', { body: newCrawl() });
  });

  it('says so within seconds also where the database neither answers nor breaks off', async () => {
    await readyAgain();
    way.freeze();
    const answers = await everyOperation();
    // What is refused for its body, as no language model is set up, or as the log is another tenant's, needs no database,
    // nor do the times of a rule and, while a key is cached, who it is.
    const others = answers
      .map(([operation, status]) => `${operation} ${status}`)
      .filter(
        (answer) =>
          !/ (?:503|400)$|^POST \/api\/v1\/extract 422$|^GET \/api\/v1\/audit\/log\/\S+ 404$|\/occurrences\?\S+ 200$|\/me 200$/.test(
            answer,
          ),
      );
    expect(others).toEqual([]);
    expect(answers.filter(([, status, retry]) => status === 503 && retry !== '1')).toEqual([]);
    expect(answers.filter(([, status]) => status === 503).length).toBeGreaterThan(0.9 * OPERATIONS.length);
    expect(await readiness()).toEqual([503, { database: 'it does not answer' }]);
    way.restore();
    await readyAgain();
    await service.get('/crawls');
  });
});

describe('a service whose EventStoreDB is away', { timeout: 240_000 }, () => {
  beforeAll(() => open('eventstoredb', 'EVENTSTORE_URL'), 60_000);
  afterAll(close);

  it('says so, goes on answering what it has read, and ends the crawl that was under way', async () => {
    const held = site.holdAfter(PAGES / 2);
    const { id } = await crawl(service, `${site.origin}/`);
    const release = await held;

    way.cut();
    expect(await readiness()).toEqual([503, { 'event store': 'it does not answer as it should' }]);
    release();
    const trail = `/crawls/${id}/events`;
    for (const [method, path, status, body] of [
      ['GET', '/crawls', 200],
      ['GET', '/sources', 200],
      ['POST', '/search', 200, { query: 'falcons' }],
      ['GET', '/events', 503],
      ['GET', trail, 503],
      ['POST', '/crawls', 503, newCrawl()],
    ] as const) {
      const answer = await service.api(method, path, body);
      const retry = status === 503 ? '1' : null;
      expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, status, retry]);
    }

    const { status, body } = await service.api('GET', '/status');
    expect([status, body.stores.filter(({ up }: { up: boolean }) => !up)]).toEqual([
      200,
      [
        {
          name: 'event store',
          product: 'EventStoreDB',
          up: false,
          reason: 'it does not answer as it should',
        },
      ],
    ]);
    expect(body.views.map(({ name }: { name: string }) => name)).toContain('catalog');

    await known(service, 'event store');
    expect(await measured(metrics)).toMatch(/^knowledger_event_store_up(?:\{[^}]*\})? 0$/m);
    const { code, output } = await service.command('rebuild');
    expect([code, output.match(/the event store cannot be used/g)?.length]).toEqual([1, 1]);

    way.restore();
    await readyAgain();
    await everyPageOnce(id);
    expect([
      told(service, 'the event store is unavailable').length,
      told(service, 'the event store is available again').length,
      told(service, 'the database is unavailable').length,
    ]).toEqual([1, 1, 0]);
    expect(await measured(metrics)).toMatch(/^knowledger_event_store_up(?:\{[^}]*\})? 1$/m);
  });

  it('answers 503 also where it neither answers nor breaks off', async () => {
    way.freeze();
    const answers = await everyOperation();
    expect(answers.filter(([, status]) => status >= 500 && status !== 503)).toEqual([]);
    const refused = answers.filter(([, status]) => status === 503);
    expect(refused.filter(([, , retryAfter]) => retryAfter !== '1')).toEqual([]);
    expect(refused.map(([operation]) => operation)).toEqual(
      expect.arrayContaining([
        'POST /api/v1/crawls',
        'POST /api/v1/tags',
        'POST /api/v1/api-keys',
        'POST /api/v1/redaction-policies',
        'POST /api/v1/pushes',
        'GET /api/v1/events',
      ]),
    );
    for (const [method, path, body] of [
      ['GET', '/events'],
      ['POST', '/crawls', newCrawl()],
    ] as const) {
      expect([path, (await service.api(method, path, body)).status]).toEqual([path, 503]);
    }
    way.restore();
    await readyAgain();
  });

  it('starts without it, serves what was read, and makes its first key later', async () => {
    expect(await service.end('SIGTERM')).toEqual([0, null]);
    way.cut();
    service = await service.again();
    expect((await service.get('/crawls')).crawls).toHaveLength(1);
    expect(await readiness()).toEqual([
      503,
      {
        'event store': 'it does not answer as it should',
        'first key': 'it waits for the event store',
      },
    ]);
    expect(await service.end('SIGTERM')).toEqual([0, null]);
    expect(service.output().trimEnd().split('\n').at(-1)).toContain('"message":"stopped: SIGTERM"');
    service = await service.again();
    way.restore();
    await readyAgain();
    await service.post('/crawls', { body: newCrawl() });
  });
});
