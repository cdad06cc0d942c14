import { beforeAll, describe, expect, it } from 'vitest';
import { operationsOf } from '../../support/openapi-check.ts';
import { ID, OTHER_ID, POSITION } from './fake-operations.ts';
import { type Ask, runApp, type RunningApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();
let app: RunningApp;
beforeAll(async () => {
  app = await runApp();
});

const CRAWL = {
  name: 'Docs',
  start_url: 'https://docs.example.com/',
  max_depth: 3,
  max_num_files: 100,
};
const BY_DEPARTMENT = {
  filters: [{ key: 'department', operator: 'eq', val: { subject: 'department' } }],
};
interface Case {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ask: Ask;
}
type Row = readonly [method: string, path: string, status: number, ask?: Ask];
const ROWS: readonly Row[] = [
  ['POST', '/api/v1/crawls', 201, { body: CRAWL }],
  ['GET', '/api/v1/crawls', 200],
  ['GET', `/api/v1/crawls/${ID}`, 200],
  ['DELETE', `/api/v1/crawls/${ID}`, 202],
  ['POST', `/api/v1/crawls/${ID}/cancel`, 202],
  ['POST', `/api/v1/crawls/${ID}/sync`, 202],
  ['GET', `/api/v1/crawls/${ID}/events`, 200],
  ['GET', `/api/v1/crawls/${ID}/errors`, 200],
  ['GET', `/api/v1/crawl-settings/${OTHER_ID}`, 200],
  ['PUT', `/api/v1/crawl-settings/${OTHER_ID}`, 200, { body: { name: 'New', rrule: null } }],
  ['GET', `/api/v1/crawl-settings/${OTHER_ID}/occurrences?limit=2`, 200],
  ['GET', `/api/v1/contents/${ID}?authz_policy=default&principal_id=jo`, 200],
  ['GET', `/api/v1/sources?source_group_id=${ID}&source_type=crawl&file_type=html`, 200],
  ['GET', `/api/v1/sources/${OTHER_ID}`, 200],
  ['GET', `/api/v1/sources/${OTHER_ID}/raw`, 200],
  ['GET', `/api/v1/sources/${OTHER_ID}/contents`, 200],
  ['PUT', `/api/v1/sources/${OTHER_ID}/metadata`, 200, { body: { records: [{ key: 'a', val: '1' }] } }],
  ['DELETE', `/api/v1/sources/${OTHER_ID}/metadata`, 200],
  ['DELETE', `/api/v1/sources/${OTHER_ID}`, 202],
  ['POST', '/api/v1/search', 200, { body: { query: 'how to begin' } }],
  ['POST', '/api/v1/query', 200, { body: {} }],
  ['POST', '/api/v1/completions', 200, { body: { messages: [{ role: 'user', content: 'Is it so?' }] } }],
  ['POST', '/api/v1/extract', 200, { body: { schema: { type: 'object' }, source_ids: [ID] } }],
  ['GET', '/api/v1/source-groups', 200],
  ['GET', `/api/v1/source-groups/${ID}`, 200],
  ['PUT', `/api/v1/source-groups/${ID}`, 200, { body: { name: 'New' } }],
  ['POST', '/api/v1/tags', 201, { body: { name: 'manuals', description: '' } }],
  [
    'POST',
    '/api/v1/redaction-policies',
    201,
    { body: { name: 'p', rules: [{ name: 'email', kind: 'email' }], applies_to: ['content'] } },
  ],
  ['GET', '/api/v1/redaction-policies', 200],
  ['GET', `/api/v1/redaction-policies/${OTHER_ID}`, 200],
  [
    'PUT',
    `/api/v1/redaction-policies/${OTHER_ID}`,
    200,
    { body: { name: 'p', rules: [{ name: 'email', kind: 'email' }], applies_to: ['content'] } },
  ],
  ['DELETE', `/api/v1/redaction-policies/${OTHER_ID}`, 200],
  ['POST', `/api/v1/redaction-policies/${OTHER_ID}/test`, 200, { body: { text: 'a@b.example' } }],
  ['POST', '/api/v1/authz-policies', 201, { body: { name: 'readers', source_metadata: BY_DEPARTMENT } }],
  ['GET', '/api/v1/authz-policies?limit=1&after=a', 200],
  ['GET', '/api/v1/authz-policies/readers', 200],
  ['PUT', '/api/v1/authz-policies/default', 200, { body: { source_metadata: BY_DEPARTMENT } }],
  ['DELETE', '/api/v1/authz-policies/readers', 200],
  ['GET', '/api/v1/authz-subject-attributes', 200],
  ['GET', '/api/v1/authz-subject-attributes/jo%40example.com', 200],
  [
    'PUT',
    '/api/v1/authz-subject-attributes/a%2Fb',
    200,
    { body: { attributes: { department: ['a'], n: 1 } } },
  ],
  ['DELETE', '/api/v1/authz-subject-attributes/jo', 200],
  ['GET', '/api/v1/tags', 200],
  ['GET', `/api/v1/tags/${OTHER_ID}`, 200],
  ['PUT', `/api/v1/tags/${OTHER_ID}`, 200, { body: { description: 'new' } }],
  ['DELETE', `/api/v1/tags/${OTHER_ID}`, 200],
  ['POST', '/api/v1/tag-source-groups', 201, { body: { tag_id: OTHER_ID, source_group_id: ID } }],
  ['POST', '/api/v1/tag-source-groups', 200, { body: { tag_id: OTHER_ID, source_group_id: OTHER_ID } }],
  ['GET', '/api/v1/tag-source-groups', 200],
  ['GET', `/api/v1/tag-source-groups/${ID}`, 200],
  ['DELETE', `/api/v1/tag-source-groups/${ID}`, 200],
  ['POST', '/api/v1/api-keys', 201, { body: { name: 'reader', scopes: ['knowledge:read'] } }],
  ['GET', '/api/v1/api-keys', 200],
  ['GET', `/api/v1/api-keys/${ID}`, 200],
  ['DELETE', `/api/v1/api-keys/${ID}`, 200],
  ['POST', `/api/v1/api-keys/${ID}/rotate`, 200],
  ['GET', '/api/v1/conversations?principal_id=jo&limit=5', 200],
  ['GET', `/api/v1/conversations/${ID}`, 200],
  ['DELETE', `/api/v1/conversations/${ID}?principal_id=jo`, 200],
  ['GET', '/api/v1/events', 200],
  ['GET', '/healthz', 200],
  ['GET', '/readyz', 200],
];
const CASES: readonly Case[] = ROWS.map(([method, path, status, ask = {}]) => ({
  method,
  path,
  status,
  ask,
}));

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
        .replace(/(?<=authz-policies\/).+/, '{name}')
        .replace(/(?<=authz-subject-attributes\/).+/, '{principal_id}');
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
    const created = await app.ask('POST', '/api/v1/crawls', { body: CRAWL });
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
