import { beforeAll, describe, expect, it } from 'vitest';
import { operationsOf } from '../../support/openapi-check.ts';
import { CASES } from './every-operation.ts';
import { EXAMPLES } from '../../support/kind-examples.ts';
import { ID, OTHER_ID, POSITION } from './fake-records.ts';
import { runApp, type RunningApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();
let app: RunningApp;
beforeAll(async () => {
  app = await runApp();
});

describe('every operation', () => {
  it.each(CASES)(
    '$method $path answers $status, as the document says',
    async ({ method, path, status, ask }) => {
      const answer = await app.ask(method, path, ask);
      expect([answer.status, answer.body]).toEqual([status, answer.body]);
    },
  );

  it('is in this table, so that none goes unchecked', async () => {
    const templates = CASES.map(({ method, path }) => {
      const template = path
        .split('?', 1)[0]
        ?.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '{id}')
        .replace(/(?<=\/tile\/).+/, '{tile}')
        .replace(/(?<=deliveries\/)\{id\}/, '{delivery_id}')
        .replace(/(?<=jobs\/)\{id\}/, '{job_id}')
        .replace(/(?<=agent\/runs\/)\{id\}/, '{run_id}')
        .replace(/(?<=agent\/threads\/)\{id\}/, '{thread_id}')
        .replace(/(?<=\/\{id\}\/sources\/).+/, '{locator}')
        .replace(/(?<=authz-policies\/)[^/]+/, '{name}')
        .replace(/(?<=authz-subject-attributes\/)[^/]+/, '{principal_id}');
      return `${method} ${template}`;
    });
    const documented = operationsOf(app.document).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(templates)).toEqual(new Set(documented));
  });

  it.each(CASES.filter(({ path }) => /\/[0-9a-f]{8}-/.test(path)))(
    '$method $path answers 404 for an id that names nothing, and 400 for one that is no UUID',
    async ({ method, path, ask }) => {
      const unknown = '0199d2a0-0000-7000-8000-00000000dead';
      const place = (id: string) => path.replace(/\/[0-9a-f]{8}-[0-9a-f-]{27}/, `/${id}`);
      const missing = await app.ask(method, place(unknown), ask);
      expect([missing.status, missing.json().error.type]).toEqual([404, 'not_found']);
      for (const wrong of ['1', `urn:uuid:${ID}`, `{${ID}}`, `${ID}x`]) {
        const refused = await app.ask(method, place(encodeURIComponent(wrong)), ask);
        expect([refused.status, refused.json().error.type]).toEqual([400, 'invalid_id']);
      }
    },
  );
});

describe('writes', () => {
  it('say where they stand in the log, and where what they created is', async () => {
    const created = await app.ask('POST', '/api/v1/crawls', { body: EXAMPLES.crawl.create });
    expect(created.headers.get('x-position')).toBe(POSITION);
    expect(created.headers.get('location')).toBe(`/api/v1/crawls/${ID}`);
    const issued = await app.ask('POST', '/api/v1/api-keys', {
      body: { name: 'r', scopes: ['knowledge:read'] },
    });
    expect(issued.headers.get('location')).toBe(`/api/v1/api-keys/${ID}`);
    expect(issued.json().key).toBe('kn_new');
  });

  it('that change nothing answer 200 with the record as it is', async () => {
    const unchanging = await runApp(({ dataSources }) => {
      const unchanged = async () => ({
        ...(await dataSources.sync({} as never, 'crawl', ID, 'full')),
        changed: false,
      });
      return { dataSources: { ...dataSources, sync: unchanged, cancel: unchanged } };
    });
    expect(
      (await unchanging.ask('POST', `/api/v1/crawls/${ID}/sync`, { body: { mode: 'full' } })).status,
    ).toBe(200);
    expect((await unchanging.ask('POST', `/api/v1/crawls/${ID}/cancel`)).status).toBe(200);
  });
});

describe('records', () => {
  it('hold seconds, and nothing for what is not known', async () => {
    const record = (await app.ask('GET', `/api/v1/crawls/${ID}`)).json();
    expect(record).toEqual({
      id: ID,
      name: 'Docs',
      status: 'queued',
      ingestion_setting_id: OTHER_ID,
      start_url: 'https://docs.example.com/',
      creation_time: 1_790_000_000,
      progress: { seen: 0, indexed: 0, unchanged: 0, skipped: 0, failed: 0, bytes: 0 },
      metadata: { records: [{ key: 'team', val: 'docs', type: 'string' }] },
    });
  });

  it('take ids in upper case for the same ids', async () => {
    expect((await app.ask('GET', `/api/v1/crawls/${ID.toUpperCase()}`)).status).toBe(200);
  });
});
