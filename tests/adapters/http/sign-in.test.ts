import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpDeps } from '../../../adapters/http/deps.ts';
import type { Caller } from '../../../application/access/caller.ts';
import { IdentityProviderUnavailable, TokenRefused } from '../../../application/ports/identity-provider.ts';
import { type Scope, SCOPES } from '../../../domain/api-key/decider.ts';
import { CASES } from './every-operation.ts';
import { ID, KEY } from './fake-records.ts';
import { type Answer, runApp, type RunningApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();
const ADA = 'https://login.example.com#ada';
/** Tokens of people, by what their middle part says. */
const tokenOf = (part: string): string => `eyJhbGciOiJFUzI1NiJ9.${part}.c2ln`;

let folder: string;
let app: RunningApp;
let isAway = false;
let scopes: readonly Scope[] = SCOPES;
let caller: Caller | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'knowledger-sign-in-'));
  await writeFile(join(folder, 'index.html'), '<p>page</p>');
  const mustAnswer = (): void => {
    if (isAway) throw new IdentityProviderUnavailable('nobody can sign in at the moment: it answers 503');
  };
  app = await runApp(({ tags }): Partial<HttpDeps> => ({
    consoleFolder: folder,
    tags: {
      ...tags,
      create: (by, ...rest) => {
        caller = by;
        return tags.create(by, ...rest);
      },
    },
    signIn: {
      authenticate: async (token) => {
        mustAnswer();
        if (token === tokenOf('ada')) return { id: ADA, name: 'ada@example.com', tenant: 'acme', scopes };
        if (token === tokenOf('old')) throw new TokenRefused('expired_token', 'the token has expired');
        throw new TokenRefused('invalid_token', 'the token is not for knowledger');
      },
      client: async () => {
        mustAnswer();
        return {
          issuer: 'https://login.example.com',
          clientId: 'knowledger',
          scope: 'openid',
          token: 'id_token',
          endpoints: {
            authorization: 'https://login.example.com/authorize',
            token: 'https://tokens.example.com/token',
            endSession: null,
          },
        };
      },
    },
  }));
});
afterAll(() => rm(folder, { recursive: true }));

const as = (part: string, method = 'GET', path = '/api/v1/tags', body?: object): Promise<Answer> =>
  app.ask(method, path, {
    key: null,
    headers: { authorization: `Bearer ${tokenOf(part)}` },
    ...(body !== undefined && { body }),
  });
const seen = ({ status, json }: Answer): unknown => [status, json().error.type];

describe('somebody who signed in', () => {
  it('is the caller, and the actor of what happens', async () => {
    scopes = SCOPES;
    expect((await as('ada', 'POST', '/api/v1/tags', { name: 'manuals' })).status).toBe(201);
    expect(caller).toMatchObject({
      id: ADA,
      tenant: 'acme',
      grant: { scopes: SCOPES, sourceGroupIds: null },
      context: { tenant: 'acme', actor: { kind: 'person', id: ADA, name: 'ada@example.com' } },
    });
  });

  it('may do what the scopes allow, and is told what is lacking', async () => {
    scopes = ['knowledge:read'];
    const answer = await as('ada', 'GET', '/api/v1/crawls');
    expect(seen(answer)).toEqual([403, 'insufficient_scope']);
    expect(answer.json().error.message).toContain('ingestion:manage, which your sign-in does not give');
    expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    const ada = { kind: 'person', id: ADA, name: 'ada@example.com' };
    expect((await as('ada', 'GET', '/api/v1/me')).json()).toEqual({ ...ada, scopes });
    scopes = [];
    expect((await as('ada', 'GET', '/api/v1/me')).json()).toEqual({ ...ada, scopes });
  });

  it.each([
    ['old', 'expired_token'],
    ['other', 'invalid_token'],
  ])('is refused with a reason, and without the token: %s', async (part, type) => {
    const answer = await as(part);
    expect(seen(answer)).toEqual([401, type]);
    expect(answer.body).not.toContain(tokenOf(part));
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer realm="knowledger", error="invalid_token", ApiKey header="x-api-key"',
    );
  });

  it('comes later while the issuer cannot be asked, which keeps neither keys nor readiness', async () => {
    isAway = true;
    const answer = await as('ada');
    expect(seen(answer)).toEqual([503, 'unavailable']);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect((await app.ask('GET', '/api/v1/crawls')).status).toBe(200);
    expect((await app.ask('GET', '/readyz')).status).toBe(200);
    isAway = false;
  });

  it('does not change how keys enter: in their header, or as bearer tokens', async () => {
    const headers = { authorization: `Bearer ${KEY}` };
    expect((await app.ask('GET', '/api/v1/crawls', { key: null, headers })).status).toBe(200);
    expect(seen(await app.ask('GET', '/api/v1/crawls', { key: tokenOf('ada') }))).toEqual([
      401,
      'invalid_api_key',
    ]);
  });

  it('is nobody where no issuer is configured', async () => {
    const plain = await runApp();
    const headers = { authorization: `Bearer ${tokenOf('ada')}` };
    expect(seen(await plain.ask('GET', '/api/v1/crawls', { key: null, headers }))).toEqual([
      401,
      'invalid_api_key',
    ]);
    expect((await plain.ask('GET', '/sign-in')).json()).toEqual({ oidc: null });
  });
});

describe('the principal of a person', () => {
  /** Requests to all operations that take `principal_id`, naming this one. */
  const naming = (principal: string) =>
    CASES.flatMap(({ method, path, ask }) => {
      const url = new URL(path, app.url);
      const template = Object.keys(app.document.paths).find((known) =>
        new RegExp(`^/api/v1${known.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url.pathname),
      );
      const operations = app.document.paths[template ?? ''] as Record<string, object> | undefined;
      const operation = JSON.stringify(operations?.[method.toLowerCase()] ?? {});
      if (operation.includes('"name":"principal_id","in":"query"')) {
        url.searchParams.set('principal_id', principal);
        return [{ method, path: url.pathname + url.search, body: ask.body as object | undefined }];
      }
      const hasBody = BODIES.some(([verb, end]) => verb === method && url.pathname.endsWith(end));
      return hasBody ? [{ method, path, body: { ...(ask.body as object), principal_id: principal } }] : [];
    });
  /** Operations whose body has it. */
  const BODIES = [
    ['POST', '/search'],
    ['POST', '/query'],
    ['POST', '/completions'],
    ['POST', '/extract'],
    ['POST', '/agent/runs'],
    ['POST', '/cancel'],
  ] as const;

  it('is their own: none of the operations that take one takes another', async () => {
    scopes = SCOPES.filter((scope) => scope !== 'authz:grant');
    const asked = naming('somebody-else').filter(
      ({ path }) => !/(?:crawls|repos|drives|wikis|groups|pushes)\//.test(path),
    );
    expect(asked.length).toBeGreaterThan(18);
    for (const { method, path, body } of asked) {
      const answer = await as('ada', method, path, body);
      expect([path, answer.status, answer.json().error?.type]).toEqual([path, 403, 'insufficient_scope']);
    }
  });

  it('is the one whose conversations are listed, whether it is named or not', async () => {
    const principals: unknown[] = [];
    const plain = await runApp(({ conversations }) => ({
      conversations: {
        ...conversations,
        list: async (by, principalId, page) => {
          principals.push(principalId);
          return conversations.list(by, principalId, page);
        },
      },
      signIn: {
        authenticate: async () => ({ id: ADA, name: undefined, tenant: 'acme', scopes }),
        client: () => Promise.reject(new Error('not asked')),
      },
    }));
    const list = async (query: string): Promise<number> => {
      const headers = { authorization: `Bearer ${tokenOf('ada')}` };
      return (await plain.ask('GET', `/api/v1/conversations${query}`, { key: null, headers })).status;
    };
    scopes = ['inference:run'];
    expect(await list('')).toBe(200);
    expect(await list(`?principal_id=${encodeURIComponent(ADA)}`)).toBe(200);
    scopes = ['inference:run', 'authz:grant'];
    expect(await list('')).toBe(200);
    expect(await list('?principal_id=jo')).toBe(200);
    expect(principals).toEqual([ADA, ADA, null, 'jo']);
  });

  it('is settled for tools over MCP', async () => {
    scopes = ['knowledge:read'];
    const sent = async (query: string) => {
      const response = await fetch(`${app.url}/mcp${query}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tokenOf('ada')}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      return [response.status, await response.text()] as const;
    };
    const [status, tools] = await sent('');
    expect(status).toBe(200);
    expect(tools).toContain('inputSchema');
    expect(tools).not.toContain('principal_id');
    expect((await sent('?principal_id=jo'))[0]).toBe(403);
  });
});

describe('a browser in which nobody has signed in', () => {
  it('learns how to, and may send requests where tokens are issued, and to no other place', async () => {
    expect((await app.ask('GET', '/sign-in', { key: null })).json()).toEqual({
      oidc: {
        issuer: 'https://login.example.com',
        client_id: 'knowledger',
        scope: 'openid',
        token: 'id_token',
        authorization_endpoint: 'https://login.example.com/authorize',
        token_endpoint: 'https://tokens.example.com/token',
        end_session_endpoint: null,
      },
    });
    const policy = async (): Promise<string> =>
      (await fetch(`${app.url}/console`)).headers.get('content-security-policy')!;
    expect(await policy()).toContain("connect-src 'self' https://tokens.example.com;");
    isAway = true;
    expect(seen(await app.ask('GET', '/sign-in'))).toEqual([503, 'unavailable']);
    expect(await policy()).toContain("connect-src 'self';");
    isAway = false;
  });
});

it('a stream is cut once the token of its reader is refused', async () => {
  let refused = false;
  const streams = await runApp(({ auditTrail }) => ({
    keepAliveMs: 20,
    auditTrail: {
      ...auditTrail,
      follow: async (_caller, _kind, _id, { signal }) => {
        async function* nothing() {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          yield* [];
        }
        return nothing();
      },
    },
    signIn: {
      authenticate: async () => {
        if (refused) throw new TokenRefused('expired_token', 'the token has expired');
        return { id: ADA, name: undefined, tenant: 'acme', scopes: SCOPES };
      },
      client: () => Promise.reject(new Error('not asked')),
    },
  }));
  const response = await fetch(`${streams.url}/api/v1/crawls/${ID}/events`, {
    headers: { authorization: `Bearer ${tokenOf('ada')}`, accept: 'text/event-stream' },
  });
  expect(response.status).toBe(200);
  refused = true;
  await expect(response.text()).rejects.toThrow('terminated');
});
