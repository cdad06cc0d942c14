import { describe, expect, it } from 'vitest';
import { knowledgeOver } from '../fake-knowledge.ts';
import { KEY } from '../fake-records.ts';
import { runApp, type RunningApp, stopServersAfterAll } from '../running-app.ts';
import { mcpClient, textOf } from '../../../support/mcp.ts';

stopServersAfterAll();
const app = await runApp();

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
interface Sent {
  readonly method?: string;
  readonly key?: null;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: unknown;
  readonly query?: string;
}

const send = async (
  { method = 'POST', key, headers = {}, body = LIST, query = '' }: Sent,
  { url }: Pick<RunningApp, 'url'> = app,
) => {
  const response = await fetch(`${url}/mcp${query}`, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key !== null && { 'x-api-key': KEY }),
      ...headers,
    },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const errorIn = ({ text }: { readonly text: string }) => JSON.parse(text) as unknown;

describe('a request that is no call is refused as an error of JSON-RPC', () => {
  it.each<readonly [string, Sent, number, number, string]>([
    ['without a key', { key: null }, 401, -32000, 'missing_api_key'],
    ['with an unknown key', { headers: { 'x-api-key': 'kn_wrong' } }, 401, -32000, 'invalid_api_key'],
    ['with two keys', { headers: { authorization: 'Bearer kn_other' } }, 400, -32600, 'invalid_request'],
    ['that is no JSON', { body: '{"jsonrpc":' }, 400, -32700, 'invalid_json'],
    ['that is a batch', { body: [LIST, LIST] }, 400, -32600, 'invalid_request'],
    ['that is a text', { body: '"tools/list"' }, 400, -32600, 'invalid_request'],
    ['with a NUL', { body: { ...LIST, method: 'a\0' } }, 400, -32600, 'invalid_request'],
    ['that is too large', { body: `"${'x'.repeat(1_100_000)}"` }, 413, -32000, 'payload_too_large'],
    ['that is a form', { headers: { 'content-type': 'text/plain' } }, 415, -32000, 'unsupported_media_type'],
    ['with an unknown query', { query: '?principal=ada' }, 400, -32600, 'invalid_request'],
    ['of a page', { headers: { origin: 'https://evil.example' } }, 403, -32000, 'origin_not_allowed'],
    ['of a hidden page', { headers: { origin: 'null' } }, 403, -32000, 'origin_not_allowed'],
    [
      'of a page that only looks local',
      { headers: { origin: 'http://localhost.evil.example' } },
      403,
      -32000,
      'origin_not_allowed',
    ],
    ['of a browser', { headers: { 'sec-fetch-site': 'same-origin' } }, 403, -32000, 'origin_not_allowed'],
  ])('%s', async (_what, sent, status, code, type) => {
    const answer = await send(sent);
    expect([answer.status, errorIn(answer)]).toEqual([
      status,
      { jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) as string, data: { type } } },
    ]);
  });

  it('names the ways to send a key', async () => {
    const { headers } = await send({ key: null, headers: { authorization: 'Bearer kn_wrong' } });
    expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="knowledger", error="invalid_token"/);
  });

  it.each(['GET', 'DELETE', 'PUT'])('by another method: %s', async (method) => {
    const { status, headers } = await send({ method });
    expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  it('of a client that takes no streams', async () => {
    const answer = await send({ headers: { accept: 'application/json' } });
    expect([answer.status, errorIn(answer)]).toMatchObject([406, { error: { code: -32000 } }]);
  });

  it.each([
    ['1999-01-01', '2025-11-25'],
    ['2099-01-01', 'missing the required per-request envelope'],
  ])('of a revision that there is not: %s', async (revision, why) => {
    const answer = await send({ headers: { 'mcp-protocol-version': revision } });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(why)]);
  });

  it('of a method that there is not', async () => {
    const answer = await send({ body: { ...LIST, method: 'tools/destroy' } });
    expect(answer.text).toContain('"code":-32601');
  });
});

describe('a page', () => {
  it.each(['http://localhost:5173', 'http://127.0.0.1:8080', 'http://[::1]:3000'])(
    'of a page of this machine is answered where the service listens on loopback: %s',
    async (origin) => expect((await send({ headers: { origin } })).status).toBe(200),
  );

  const origin = 'https://app.example';
  it.each([[[origin]], [['*']]])('whose origin the operator lets in is answered: %j', async (corsOrigins) => {
    const open = await runApp(() => ({ corsOrigins }));
    const { status, headers } = await send({ headers: { origin } }, open);
    expect([status, headers.get('access-control-expose-headers')]).toEqual([
      200,
      expect.stringContaining('mcp-session-id'),
    ]);
    const asked = { origin, 'access-control-request-method': 'POST' };
    const preflight = await send({ method: 'OPTIONS', headers: asked }, open);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
  });
});

describe('a key with a rate', () => {
  it('is told to wait once it has sent its requests', async () => {
    const limited = await runApp((fakes) => ({
      authenticate: Object.assign(
        async (key: string | undefined) => {
          const answer = await fakes.authenticate(key);
          return answer.ok ? { ...answer, key: { ...answer.key, requestsPerMinute: 1 } } : answer;
        },
        { clearCache: () => undefined },
      ),
    }));
    expect((await send({}, limited)).status).toBe(200);
    const answer = await send({}, limited);
    expect([answer.status, answer.headers.get('retry-after'), errorIn(answer)]).toMatchObject([
      429,
      '60',
      { error: { data: { type: 'rate_limited' } } },
    ]);
  });
});

describe('what nobody foresaw', () => {
  it('is logged, and told by the id of the request alone', async () => {
    const logged: unknown[] = [];
    const broken = await runApp((fakes) => ({
      ...knowledgeOver({
        ...fakes,
        search: { ...fakes.search, search: () => Promise.reject(new Error('password=hunter2')) },
      }),
      log: { ...fakes.log, error: (...told) => void logged.push(told) },
    }));
    const client = await mcpClient(`${broken.url}/mcp`, KEY);
    const result = await client.callTool({ name: 'search', arguments: { query: 'a secret wish' } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^internal_error: an internal error occurred; the request id is [\w-]+$/);
    expect(logged).toMatchObject([['request failed', { route: '/mcp', message: 'password=hunter2' }]]);
    expect(JSON.stringify(logged)).not.toContain('a secret wish');
    expect(JSON.stringify(logged)).not.toContain(KEY);
  });
});
