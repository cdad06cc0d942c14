import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { NewDataSource } from '../../../application/sources/ingestion/create-data-source.ts';
import { SCOPES } from '../../../domain/api-key/decider.ts';
import { operationsOf } from '../../support/openapi-check.ts';
import { ID, NOW, OTHER_ID } from './fake-records.ts';
import { type Answer, runApp, type RunningApp, stopServersAfterAll } from './running-app.ts';
import { anyCharacter } from '../../support/any-character.ts';

stopServersAfterAll();
let app: RunningApp;
const requests: NewDataSource[] = [];
beforeAll(async () => {
  app = await runApp(({ createDataSource }) => ({
    createDataSource: async (caller, request, key) => {
      requests.push(request);
      return createDataSource(caller, request, key);
    },
  }));
});

const CRAWL = { name: 'Docs', start_url: 'https://docs.example.com/', max_depth: 3, max_num_files: 100 };
const create = (changes: object): Promise<Answer> =>
  app.ask('POST', '/api/v1/crawls', { body: { ...CRAWL, ...changes } });
const refused = async (asked: Promise<Answer>): Promise<[number, string, string]> => {
  const answer = await asked;
  const { type, message } = answer.json().error;
  return [answer.status, type, message];
};

describe('the body of POST /crawls', () => {
  it('gets its defaults', async () => {
    await create({ metadata: { records: [{ key: 'team', val: 'docs', type: 'string' }] } });
    expect(requests.at(-1)).toEqual({
      name: CRAWL.name,
      metadata: [{ key: 'team', val: 'docs' }],
      parameters: {
        kind: 'crawl',
        startUrl: CRAWL.start_url,
        maxDepth: CRAWL.max_depth,
        maxNumFiles: CRAWL.max_num_files,
        pathFilters: [],
        contentPattern: [],
        htmlOnly: false,
        useBrowser: false,
        noCanonicalCheck: false,
        fileExtensions: [],
      },
    });
  });

  it('hands on what it says besides', async () => {
    await create({ path_filters: ['!/a'], content_pattern: ['b'], html_only: true, use_browser: true });
    const named = { pathFilters: ['!/a'], contentPattern: ['b'], htmlOnly: true, useBrowser: true };
    expect(requests.at(-1)?.parameters).toMatchObject(named);
    await create({ no_canonical_check: true, file_extensions: ['.c'] });
    expect(requests.at(-1)?.parameters).toMatchObject({ noCanonicalCheck: true, fileExtensions: ['.c'] });
  });

  it('has no schedule with the rule null, and hands on an empty one to be refused', async () => {
    expect((await create({ rrule: null })).status).toBe(201);
    expect(requests.at(-1)).not.toHaveProperty('rrule');
    await create({ rrule: '' });
    expect(requests.at(-1)).toHaveProperty('rrule', '');
  });

  it('may have metadata without records', async () => {
    expect((await create({ metadata: {} })).status).toBe(201);
    expect(requests.at(-1)).toHaveProperty('metadata', []);
  });

  it.each([
    [{ name: '😀'.repeat(200) }],
    [{ start_url: `https://e.example/${'a'.repeat(1982)}` }],
    [{ max_depth: 10, max_num_files: 100_000 }],
    [{ path_filters: ['😀'.repeat(1000), 'b'.repeat(1000)] }],
    [{ content_pattern: ['a'.repeat(2000)] }],
    [{ file_extensions: Array.from({ length: 2000 }, () => '.123456789') }],
    [{ file_extensions: ['.tar.gz', '.C++'] }],
  ])('may be as large as the interface says: case %#', async (changes) => {
    expect((await create(changes)).status).toBe(201);
  });

  it.each([
    [{ name: 'x'.repeat(201) }, 'name may have at most 200 characters'],
    [{ name: ' \t' }, 'name must not be blank'],
    [{ name: 7 }, 'name must be a string'],
    [{ start_url: `https://e.example/${'a'.repeat(1983)}` }, 'start_url may have at most 2000 characters'],
    [{ start_url: 'ftp://e.example/' }, 'start_url must be an absolute http or https URL'],
    [{ start_url: '/docs' }, 'start_url must be an absolute http or https URL'],
    [{ start_url: 'https://' }, 'start_url is not a URL'],
    [{ start_url: 'https://jo:pw@e.example/' }, 'start_url must not contain a user name or a password'],
    [{ max_depth: 0 }, 'max_depth must be at least 1'],
    [{ max_depth: 11 }, 'max_depth must be at most 10'],
    [{ max_depth: 1.5 }, 'max_depth must be a whole number'],
    [{ max_depth: '3' }, 'max_depth must be a whole number'],
    [{ max_num_files: 100_001 }, 'max_num_files must be at most 100000'],
    [
      { path_filters: ['a'.repeat(1000), 'b'.repeat(1001)] },
      'path_filters may hold at most 2000 characters over all its elements',
    ],
    [
      { content_pattern: ['a'.repeat(2001)] },
      'content_pattern may hold at most 2000 characters over all its elements',
    ],
    [{ file_extensions: ['html'] }, 'file_extensions[0] must be an extension with its leading dot'],
    [{ file_extensions: ['.1234567890'] }, 'file_extensions[0] may have at most 10 characters'],
    [
      { file_extensions: Array.from({ length: 2001 }, () => '.a') },
      'file_extensions may hold at most 2000 elements',
    ],
    [{ html_only: 'yes' }, 'html_only must be true or false'],
    [{ metadata: [] }, 'metadata must be an object'],
    [{ metadata: { records: [{ key: 'a' }] } }, 'metadata.records[0].val is missing'],
    [{ name: 'a\0b' }, 'name contains a NUL character'],
    [{ 'a\0b': 1 }, 'a field name contains a NUL character'],
  ])('is refused with what is wrong: %j', async (changes, message) => {
    expect(await refused(create(changes))).toEqual([400, 'invalid_request', message]);
  });

  it.each(['https://github.com/acme/handbook', 'acme', 'acme/handbook/docs'])(
    'of a repository says how it is named, where it is given as %s',
    async (repository) => {
      const answer = await app.ask('POST', '/api/v1/repos', { body: { name: 'Code', repository } });
      expect([answer.status, answer.json().error.message]).toEqual([
        400,
        'repository must be owner/repo, such as acme/handbook, without an address: its host is the one that KNOWLEDGER_REPOSITORY_API_URL names',
      ]);
    },
  );

  it.each([
    [[], 'formats must hold at least one of: markdown, html, links, metadata. Left out, it is markdown'],
    [['pdf'], 'formats[0] must be one of markdown, html, links, metadata'],
  ])('of a scrape says which formats there are where it asks for %j', async (formats, message) => {
    const body = { url: 'https://docs.example.com/', formats };
    expect(await refused(app.ask('POST', '/api/v1/scrape', { body }))).toEqual([
      400,
      'invalid_request',
      message,
    ]);
  });

  it('must hold the four fields without which nothing can be crawled', async () => {
    for (const name of Object.keys(CRAWL)) {
      expect(await refused(create({ [name]: undefined }))).toEqual([
        400,
        'invalid_request',
        `${name} is missing`,
      ]);
    }
  });

  it('may hold no field that is not known, and hears which are', async () => {
    const [status, type, message] = await refused(create({ max_deptH: 1 }));
    expect([status, type]).toEqual([400, 'invalid_request']);
    expect(message).toMatch(/^the body has no field "max_deptH"; known: name, start_url, max_depth, /);
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString']) {
      const body = JSON.stringify(CRAWL).replace('{', `{"${name}":{"polluted":true},`);
      const answer = await app.ask('POST', '/api/v1/crawls', { body });
      expect(answer.json().error.message).toContain(`has no field "${name}"`);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('may not hold half of a surrogate pair, which no UTF-8 can write', async () => {
    const body = JSON.stringify(CRAWL).replace('Docs', '\\ud83d');
    expect(await refused(app.ask('POST', '/api/v1/crawls', { body }))).toEqual([
      400,
      'invalid_request',
      'name contains half of a surrogate pair',
    ]);
  });
});

describe('the form of a body', () => {
  const send = (body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answer> =>
    app.ask('POST', '/api/v1/crawls', { body, headers });

  it.each(['{', '{"a":1,}', "{'a':1}", '{"a":NaN}', '\u{feff}x', '"\\x"'])('%j is no JSON', async (body) => {
    expect((await refused(send(body))).slice(0, 2)).toEqual([400, 'invalid_json']);
  });

  it.each(['[]', '"text"', '7', 'null', 'true'])('%s is JSON, but no object', async (body) => {
    expect(await refused(send(body))).toEqual([400, 'invalid_request', 'the body must be an object']);
  });

  it('must be UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expect(await refused(send(bytes))).toEqual([400, 'invalid_json', 'the body is not UTF-8']);
    for (const charset of ['iso-8859-1', 'utf-16', '"UTF-16LE"', 'utf-32', 'utf-7', 'x']) {
      const other = { 'content-type': `application/json; charset=${charset}` };
      expect(await refused(send('{}', other))).toEqual([
        415,
        'unsupported_media_type',
        'send the body in UTF-8',
      ]);
    }
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'multipart/form-data',
    'x',
  ])('sent as %s is 415', async (type) => {
    const answer = await refused(send('{}', { 'content-type': type }));
    expect(answer.slice(0, 2)).toEqual([415, 'unsupported_media_type']);
  });

  it.each([
    'application/json;charset=utf-8',
    'Application/JSON',
    'application/json ; charset=UTF-8',
    'application/json; charset="utf-8"; profile=x',
  ])('sent as %s is read', async (type) => {
    expect((await send(JSON.stringify(CRAWL), { 'content-type': type })).status).toBe(201);
  });

  it('may be compressed, and is measured as it is when read', async () => {
    const gzip = { 'content-encoding': 'gzip' };
    expect((await send(gzipSync(JSON.stringify(CRAWL)), gzip)).status).toBe(201);
    const bomb = gzipSync(JSON.stringify({ ...CRAWL, name: 'x'.repeat(50_000_000) }));
    expect(bomb.length).toBeLessThan(100_000);
    expect((await refused(send(bomb, gzip))).slice(0, 2)).toEqual([413, 'payload_too_large']);
    expect((await refused(send(gzipSync('{'), gzip))).slice(0, 2)).toEqual([400, 'invalid_json']);
  });

  it.each([
    ['gzip', 'no gzip', 'the body is not what its Content-Encoding says: gzip'],
    [
      'gzip',
      gzipSync('{"name":"cut"}').subarray(0, 15),
      'the body is not what its Content-Encoding says: gzip',
    ],
    ['br', gzipSync('{}'), 'the body is not what its Content-Encoding says: br'],
    ['br', '{"name":"plain"}', 'the body is not what its Content-Encoding says: br'],
    ['deflate', gzipSync('{}'), 'the body is not what its Content-Encoding says: deflate'],
    [
      'zip',
      '{}',
      'this Content-Encoding is not supported: send the body plain, or as one of gzip, deflate, br',
    ],
    [
      'zstd',
      zstdCompressSync('{}'),
      'this Content-Encoding is not supported: send the body plain, or as one of gzip, deflate, br',
    ],
    [
      'gzip, gzip',
      '{}',
      'this Content-Encoding is not supported: send the body plain, or as one of gzip, deflate, br',
    ],
  ])('that is not the %s that it is called is 415, with what can be read', async (coding, body, message) => {
    const answer = await send(body, { 'content-encoding': coding });
    expect(await refused(Promise.resolve(answer))).toEqual([415, 'unsupported_media_type', message]);
    expect(answer.headers.get('accept-encoding')).toBe('gzip, deflate, br');
  });

  it('may be 1 MiB and no more', async () => {
    const padded = (bytes: number) => JSON.stringify(CRAWL).padEnd(bytes);
    expect((await send(padded(1024 * 1024))).status).toBe(201);
    expect((await refused(send(padded(1024 * 1024 + 1)))).slice(0, 2)).toEqual([413, 'payload_too_large']);
  });

  it('may be nested 32 deep, and never so deep that reading it fails', async () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const deep = `the body is nested deeper than 32 levels`;
    expect((await refused(send(nested(32))))[2]).toBe('the body must be an object');
    expect((await refused(send(nested(33))))[2]).toBe(deep);
    expect((await refused(send(nested(500_000))))[2]).toBe(deep);
    const groups = `${'{"groups":['.repeat(30_000)}${']}'.repeat(30_000)}`;
    const answer = app.ask('POST', '/api/v1/query', { body: `{"metadata":${groups}}` });
    expect((await refused(answer))[2]).toBe(deep);
  });

  it('may be left out where nothing in it is required', async () => {
    expect((await app.ask('POST', `/api/v1/crawls/${ID}/sync`)).status).toBe(202);
    expect((await refused(app.ask('POST', '/api/v1/crawls')))[2]).toBe('send a JSON body');
  });
});

describe('other bodies', () => {
  it.each([`/crawls/${ID}/cancel`, `/api-keys/${ID}/rotate`])(
    'of POST %s hold nothing, where there is one',
    async (path) => {
      expect((await app.ask('POST', `/api/v1${path}`)).status).toBeLessThan(300);
      expect((await app.ask('POST', `/api/v1${path}`, { body: {} })).status).toBeLessThan(300);
      expect(await refused(app.ask('POST', `/api/v1${path}`, { body: { force: true } }))).toEqual([
        400,
        'invalid_request',
        'the body has no field "force"; known: none',
      ]);
    },
  );

  it('of a setting hold at least one change', async () => {
    const put = (body: object) => app.ask('PUT', `/api/v1/crawl-settings/${OTHER_ID}`, { body });
    expect(await refused(put({}))).toEqual([
      400,
      'invalid_request',
      expect.stringMatching(/^the body must hold at least one of: name, max_depth, .*, rrule$/),
    ]);
    expect((await put({ rrule: null })).json()).not.toHaveProperty('rrule');
    expect((await put({ name: 'New' })).json()).toMatchObject({ name: 'New', rrule: 'FREQ=DAILY' });
  });

  it('of a key name scopes that there are, once each, and an end that is still to come', async () => {
    const post = (body: object) =>
      refused(app.ask('POST', '/api/v1/api-keys', { body: { name: 'r', ...body } }));
    expect((await post({ scopes: ['all'] }))[2]).toMatch(/^scopes\[0\] must be one of inference:run, /);
    expect((await post({ scopes: [] }))[2]).toBe(`scopes must hold at least one of: ${SCOPES.join(', ')}`);
    expect((await post({ scopes: ['audit:read', 'audit:read'] }))[1]).toBe('invalid_request');
    const many = Array.from({ length: 50_000 }, (_, i) => `s${i}`);
    expect((await post({ scopes: many }))[2]).toBe(`scopes may hold at most ${SCOPES.length} elements`);
    const read = { scopes: ['knowledge:read'] };
    expect((await post({ ...read, expires_at: Math.floor(NOW / 1000) }))[2]).toBe(
      'expires_at must lie in the future',
    );
    expect((await post({ ...read, source_group_ids: ['x'] })).slice(1)).toEqual([
      'invalid_id',
      'source_group_ids[0] must be a UUID',
    ]);
    expect((await post({ ...read, requests_per_minute: 0 }))[1]).toBe('invalid_request');
  });

  it('of a tag name it with 1 to 100 characters, and change something', async () => {
    const post = (body: object) => refused(app.ask('POST', '/api/v1/tags', { body }));
    for (const name of ['', '  ', 'x'.repeat(101), 7])
      expect((await post({ name }))[1]).toBe('invalid_request');
    expect((await app.ask('POST', '/api/v1/tags', { body: { name: '\u{1F600}'.repeat(100) } })).status).toBe(
      201,
    );
    expect((await post({ name: 'taken' })).slice(0, 2)).toEqual([409, 'name_taken']);
    const put = (body: object) => refused(app.ask('PUT', `/api/v1/tags/${ID}`, { body }));
    expect((await put({}))[1]).toBe('invalid_request');
    expect((await put({ colour: 'red' }))[1]).toBe('invalid_request');
    const bind = (body: object) => refused(app.ask('POST', '/api/v1/tag-source-groups', { body }));
    expect((await bind({ tag_id: ID }))[1]).toBe('invalid_request');
    expect((await bind({ tag_id: 'manuals', source_group_id: ID }))[1]).toBe('invalid_id');
  });

  it('of a search may not ask for what there is not', async () => {
    const post = (body: object) =>
      refused(app.ask('POST', '/api/v1/search', { body: { query: 'q', ...body } }));
    expect((await post({ mode: 'vector' })).slice(0, 2)).toEqual([422, 'not_configured']);
    expect((await post({ tag_filter_logic: 'XOR' })).slice(0, 2)).toEqual([400, 'invalid_request']);
    expect((await post({ tags: [1] })).slice(0, 2)).toEqual([400, 'invalid_request']);
    expect((await post({ limit: 1001 })).slice(0, 2)).toEqual([400, 'invalid_limit']);
    for (const query of ['', '   ', '\t\n\u3000\u00a0']) {
      expect(await post({ query })).toEqual([400, 'invalid_request', 'query must not be blank']);
    }
    expect((await post({ query: 'x'.repeat(4001) })).slice(0, 2)).toEqual([400, 'invalid_request']);
  });

  it.each(['/search', '/query'])('of %s name an end that is not before the beginning', async (path) => {
    const post = (body: object) =>
      app.ask('POST', `/api/v1${path}`, { body: { ...(path === '/search' && { query: 'q' }), ...body } });
    expect(await refused(post({ date_from: 1_700_000_001, date_to: 1_700_000_000 }))).toEqual([
      422,
      'filter_invalid',
      'date_from (1700000001) must not be after date_to (1700000000)',
    ]);
    for (const dates of [{ date_from: 5, date_to: 5 }, { date_from: 5 }, { date_to: 0 }]) {
      expect((await post(dates)).status).toBe(200);
    }
  });

  it('of a search say in which mode it was searched, and take what is reserved', async () => {
    const body = { query: 'q', mode: 'hybrid', tags: [], authz_policy: 'default', principal_id: 'jo' };
    const answer = await app.ask('POST', '/api/v1/search', { body });
    expect(answer.json()).toMatchObject({ mode: 'keyword', total_candidates: 1 });
  });

  it('with a filter that means nothing are 422, however deep the mistake lies', async () => {
    const post = (metadata: unknown) => refused(app.ask('POST', '/api/v1/query', { body: { metadata } }));
    expect(await post({ filters: [{ key: 'a', operator: 'like', val: 1 }] })).toEqual([
      422,
      'filter_invalid',
      expect.stringMatching(/^metadata\.filters\[0\]\.operator must be one of eq, ne, /),
    ]);
    expect((await post({ groups: [{ groups: [{ logic: 'XOR' }] }] })).slice(0, 2)).toEqual([
      422,
      'filter_invalid',
    ]);
    expect((await post({ groups: [{ fliters: [] }] })).slice(0, 2)).toEqual([400, 'invalid_request']);
    expect((await post('x')).slice(0, 2)).toEqual([422, 'filter_invalid']);
  });
});

describe('whatever is sent', () => {
  it('to any operation that takes a body never is a fault of the server', { timeout: 60_000 }, async () => {
    const targets = operationsOf(app.document)
      .filter(({ method }) => method === 'POST' || method === 'PUT')
      .map(({ method, path }) => ({ method, path: path.replace('{id}', ID) }));
    const names =
      'name start_url max_depth max_num_files rrule records query mode scopes limit after metadata filters groups ' +
      'key operator val expires_at __proto__ length';
    const fields = fc.constantFrom(...names.split(' '));
    const texts = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('\ud800', '\0', ID, 'https://e.example/', 'knowledge:read', 'eq'),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'medium' }, fc.jsonValue(), texts, tie('list'), tie('object')),
      list: fc.array(tie('tree'), { maxLength: 4 }),
      object: fc.dictionary(fc.oneof(fields, texts), tie('tree'), { maxKeys: 6 }),
    }));
    const bodies = fc.oneof(
      tree.map((value) => JSON.stringify(value)),
      fc.string({ unit: anyCharacter }),
      fc
        .record({ base: fc.constant(CRAWL), change: fc.dictionary(fields, tree) })
        .map(({ base, change }) => JSON.stringify({ ...base, ...change })),
    );
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...targets), bodies, async ({ method, path }, body) => {
        const answer = await app.ask(method, path, { body: body.toWellFormed() });
        statuses.add(answer.status);
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: 200 },
    );
    expect(statuses.has(400)).toBe(true);
  });
});
