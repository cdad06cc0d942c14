import { KINDS } from '../../../adapters/http/data-sources/kinds.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { responseOf } from '../../support/openapi-check.ts';
import { type Json, runApp, type RunningApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();
let app: RunningApp;
beforeAll(async () => {
  app = await runApp();
});
const operations = (): [name: string, operation: Json][] =>
  Object.entries(app.document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'servers')
      .map(([method, operation]): [string, Json] => {
        const responses = Object.entries<Json>((operation as Json).responses);
        const whole = responses.map(([status, response]) => [status, responseOf(app.document, response)]);
        return [`${method} ${path}`, { ...(operation as Json), responses: Object.fromEntries(whole) }];
      }),
  );

describe('the OpenAPI document', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const result = await new Validator().validate(structuredClone(app.document) as Json);
    expect(result).toMatchObject({ valid: true });
  });

  it.each(['schemas', 'responses'] as const)(
    'refers only to %s that it holds, and holds none that nothing refers to',
    (kind) => {
      const text = JSON.stringify(app.document);
      const references = text.matchAll(new RegExp(`"#/components/${kind}/([\\w.]+)"`, 'g'));
      const used = new Set([...references].map(([, name]) => name));
      expect(used).toEqual(new Set(Object.keys(app.document.components[kind])));
    },
  );

  it('holds each error response once, whatever number of operations can answer it', () => {
    const inPlace = Object.values(app.document.paths)
      .filter(({ servers }) => servers === undefined)
      .flatMap((item) => Object.values(item) as Json[])
      .flatMap(({ responses }) => Object.entries<Json>(responses))
      .filter(([status, response]) => Number(status) >= 400 && response.$ref === undefined);
    expect(inPlace).toEqual([]);
    const { responses } = app.document.components;
    const distinct = new Set(Object.values(responses).map((response) => JSON.stringify(response)));
    expect(distinct.size).toBe(Object.keys(responses).length);
  });

  it('says in words what each pattern of a request means', () => {
    const wordless = new Set<string>();
    const seen = new Set<string>();
    const look = (at: string, node: Json): void => {
      if (typeof node !== 'object' || node === null) return;
      const { $ref: ref, pattern, 'x-rule': rule, examples: _, ...rest } = node;
      if (typeof pattern === 'string' && rule === undefined) wordless.add(at);
      if (typeof ref === 'string' && !seen.has(ref)) {
        seen.add(ref);
        const name = ref.split('/').at(-1)!;
        look(name, app.document.components.schemas[name]);
      }
      for (const [name, inner] of Object.entries(rest)) look(`${at}.${name}`, inner as Json);
    };
    for (const [name, { parameters = [], requestBody }] of operations()) {
      for (const { in: place, ...parameter } of parameters as Json[])
        if (place !== 'header') look(`${name} ${parameter['name']}`, parameter['schema']);
      look(name, requestBody?.['content']);
    }
    expect([...wordless]).toEqual([]);
    expect(seen.size).toBeGreaterThan(20);
  });

  it('gives every operation a name of its own, a scope but where all may enter, and the errors that all have', () => {
    const names = operations().map(([, { operationId }]) => operationId as string);
    expect(new Set(names).size).toBe(names.length);
    const open: string[] = [];
    for (const [name, { security, responses, ...operation }] of operations()) {
      if (security.length === 0) continue;
      const { 'x-required-scope': scope = 'none' } = operation;
      if (scope === 'none') open.push(name);
      expect([name, scope]).toEqual([name, expect.stringMatching(/^[a-z:]+$/)]);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '401', '429', '500', '503']));
      expect([name, '403' in responses]).toEqual([name, scope !== 'none']);
    }
    expect(open).toEqual(['get /me']);
  });

  it('says of every operation what it does, and names every type of error', () => {
    for (const [name, { description, responses }] of operations()) {
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z`].{20,}\.$/s)]);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['408', '417', '431']));
      if (responses['401'] === undefined) continue;
      const { schema } = responses['401'].content['application/json'];
      expect(schema.allOf[1].properties.error.properties.type.enum).toEqual([
        'expired_api_key',
        'expired_token',
        'invalid_api_key',
        'invalid_token',
        'missing_api_key',
      ]);
    }
  });

  it.each([
    ['post /query', 'invalid_cursor'],
    ['post /completions', 'invalid_limit'],
    ['post /search', 'invalid_limit'],
    ['post /extract', 'invalid_limit'],
    ['get /sources', 'invalid_id'],
    ['post /extract', 'filter_invalid'],
  ])('tells of %s that it can be %s', (name, type) => {
    const { responses } = new Map(operations()).get(name);
    expect(JSON.stringify(responses)).toContain(`"${type}"`);
  });

  it('closes every body', () => {
    const { schemas }: { schemas: Json } = app.document.components;
    const bodies = operations()
      .map(([, { requestBody }]) => Object.values<Json>(requestBody?.content ?? {})[0])
      .map((media) => media?.schema.$ref?.split('/').at(-1))
      .filter((name) => name !== undefined);
    expect(bodies.length).toBeGreaterThan(5);
    for (const name of bodies) expect([name, schemas[name].additionalProperties]).toEqual([name, false]);
  });

  it('names every body and answer in JSON, so that generated clients have a type for it', () => {
    const unnamed = operations().flatMap(([name, { requestBody, responses, security }]) => {
      if (security.length === 0) return [];
      const succeeded = Object.entries<Json>(responses).filter(([status]) => status.startsWith('2'));
      return [['body', requestBody ?? {}] as const, ...succeeded]
        .filter(([, { content }]) => content?.['application/json'] !== undefined)
        .filter(([, { content }]) => content['application/json'].schema.$ref === undefined)
        .map(([where]) => `${name}: ${where}`);
    });
    expect(unnamed).toEqual([]);
  });

  it('requires a body of all that take one, but of those that do without', () => {
    const optional = operations().filter(([, { requestBody }]) => requestBody?.required === false);
    expect(optional.map(([name]) => name)).toEqual([
      'post /agent/runs/{run_id}/cancel',
      ...KINDS.flatMap(({ path, sync }) => [
        `post ${path}/{id}/cancel`,
        ...(sync === undefined ? [] : [`post ${path}/{id}/sync`]),
      ]),
      'post /pushes/{id}/jobs',
      'post /pushes/{id}/jobs/{job_id}/complete',
      'post /api-keys/{id}/rotate',
      'post /webhooks/{id}/rotate-secret',
      'post /webhooks/{id}/test',
      'post /webhooks/{id}/deliveries/{delivery_id}/redeliver',
    ]);
  });

  it('says where a filter holds filters', () => {
    const { Filter } = app.document.components.schemas as Json;
    expect(Filter.properties.groups.items).toEqual({ $ref: '#/components/schemas/Filter' });
  });
});

describe('the documentation pages', () => {
  it('lead from the root to the page, and from its name without a slash', async () => {
    for (const path of ['/', '/docs']) {
      const answer = await app.ask('GET', path, { key: null });
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs/']);
    }
  });

  it('need no key, load and nothing from outside: every file that they name is served here', async () => {
    const page = await app.ask('GET', '/docs/', { key: null });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const named = [...page.body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, name]) => name as string);
    for (const name of named.filter((one) => one !== 'data:,')) {
      expect(name).toMatch(/^\.\//);
      const file = await app.ask('GET', `/docs/${name.slice(2)}`, { key: null });
      expect([name, file.status]).toEqual([name, 200]);
    }
    expect(page.body).toContain('spec-url="../openapi.json"');
    expect(page.body).not.toMatch(/https?:\/\/|<script>|onload=|style=/);
  });

  it('may run only what this server sends', async () => {
    for (const path of ['/docs/', '/docs/explorer.js']) {
      const policy = (await app.ask('GET', path, { key: null })).headers.get('content-security-policy') ?? '';
      const directives = new Map(policy.split(';').map((one) => one.split(/ (.*)/s) as [string, string]));
      expect(directives.get('default-src')).toBe("'self'");
      expect(directives.get('script-src')).toBe("'self'");
      expect(directives.get('style-src')).toBe("'self' 'unsafe-inline'");
      expect(policy).not.toMatch(/https?:|\*|unsafe-eval|upgrade-insecure-requests/);
    }
  });

  it('refuse what they cannot meet, as everything else does', async () => {
    const ask = (headers: Record<string, string>) => app.ask('GET', '/docs/explorer.js', { headers });
    expect((await ask({ range: 'bytes=99999999-' })).json().error.type).toBe('range_not_satisfiable');
    expect((await ask({ 'if-match': '"x"' })).json().error.type).toBe('invalid_request');
  });
});
