import { beforeAll, describe, expect, it } from 'vitest';
import { STATUS_OF, type ProblemType } from '../../../adapters/http/problem.ts';
import type { HttpDeps } from '../../../adapters/http/deps.ts';
import { contentionTimeout } from '../../../application/event-sourcing/back-off.ts';
import {
  AppendTooLarge,
  EventsGone,
  EventStoreUnavailable,
  ForeignEvent,
  OutcomeUnknown,
  StreamCut,
  StreamDeleted,
} from '../../../application/ports/event-store.ts';
import { WorkLost } from '../../../application/jobs/work-handler.ts';
import { FileStoreUnavailable } from '../../../application/ports/file-store.ts';
import { SCOPES } from '../../../domain/api-key/decider.ts';
import { DomainError, type DomainErrorCode } from '../../../domain/shared/domain-error.ts';
import { ID, KEY, OTHER_ID, keyRow } from './fake-records.ts';
import { type Answer, runApp, type RunningApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();
let app: RunningApp;
/** What GET and DELETE of `/crawls/{id}` throw in this app. */
let failure: unknown;
const logged: { message: string; fields: unknown }[] = [];
beforeAll(async () => {
  app = await runApp(({ dataSources }): Partial<HttpDeps> => ({
    dataSources: {
      ...dataSources,
      get: async () => {
        throw failure;
      },
      remove: async () => {
        throw failure;
      },
    },
    gate: { reached: async () => false },
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (message, fields) => logged.push({ message, fields }),
    },
  }));
});

const seen = ({ status, json }: Answer): [number, ProblemType] => [status, json().error.type];
const fail = async (error: unknown): Promise<Answer> => {
  failure = error;
  return app.ask('GET', `/api/v1/crawls/${ID}`);
};

describe('a refusal of the domain', () => {
  const codes = Object.keys(STATUS_OF).filter((code) => code !== 'internal_error');
  it.each(codes as DomainErrorCode[])('%s keeps its code and its message', async (code) => {
    // Not every operation can have every code, and the document says so: here only status and envelope count.
    failure = new DomainError(code, 'do this instead');
    const answer = await fetch(`${app.url}/api/v1/crawls/${ID}`, { headers: { 'x-api-key': KEY } });
    expect(await answer.json()).toEqual({ error: { type: code, message: 'do this instead' } });
    expect(answer.status).toBe(STATUS_OF[code]);
  });
});

describe('a failure of what lies behind', () => {
  it('is 503 with Retry-After when others kept writing for as long as the request could wait', async () => {
    failure = contentionTimeout();
    const answer = await app.ask('DELETE', `/api/v1/crawls/${ID}`);
    expect(seen(answer)).toEqual([503, 'unavailable']);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.json().error.message).toContain('nothing was changed');
  });

  it.each([
    new EventStoreUnavailable('gone'),
    new OutcomeUnknown('lost'),
    new FileStoreUnavailable('refused', 'the bucket'),
    new WorkLost('its lease ran out'),
  ])('is 503 with Retry-After for $name', async (error) => {
    const answer = await fail(error);
    expect(seen(answer)).toEqual([503, 'unavailable']);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.body).not.toContain(error.message);
  });

  it.each([
    ['event store', new EventStoreUnavailable('secret', { reason: 'full' })],
    ['file store', new FileStoreUnavailable('full', 'secret')],
  ])('says where the disk of the %s is full', async (store, error) => {
    const answer = await fail(error);
    expect(seen(answer)).toEqual([503, 'unavailable']);
    expect(answer.body).toContain(`the disk of the ${store} is full: ask the operator`);
    expect(answer.body).not.toContain('secret');
  });

  it.each([
    ['404 for a stream that was deleted for ever', new StreamDeleted('dataSource-secret'), 'not_found'],
    ['500 for a stream that was cut', new StreamCut('dataSource-secret', 0n), 'history_damaged'],
    [
      '500 for a repetition whose events are gone',
      new EventsGone('dataSource-secret', 1n),
      'history_damaged',
    ],
    ['500 for a stream that others wrote to', new ForeignEvent('dataSource-secret', 1n), 'history_damaged'],
  ] as const)('is %s, not to be tried again, and the log says what to look at', async (_, error, type) => {
    logged.length = 0;
    const answer = await fail(error);
    expect(seen(answer)).toEqual([STATUS_OF[type], type]);
    expect(answer.json().error.message).toContain('in the event store');
    expect(answer.headers.get('retry-after')).toBeNull();
    expect(answer.body).not.toContain('dataSource-secret');
    expect(logged).toMatchObject([{ fields: { error: error.message } }]);
  });

  it('is 413 for what is too large to be recorded', async () => {
    failure = new AppendTooLarge('too large');
    expect((await app.open(`/api/v1/crawls/${ID}`)).status).toBe(413);
  });

  it('is 500 with the id of the request for all else; the log has the rest, and no key', async () => {
    logged.length = 0;
    const answer = await fail(new TypeError('x is not a function'));
    expect(seen(answer)).toEqual([500, 'internal_error']);
    const id = answer.headers.get('x-request-id') as string;
    expect(answer.json().error.message).toContain(id);
    expect(answer.body).not.toContain('x is not a function');
    expect(logged).toHaveLength(1);
    expect(logged[0]?.fields).toMatchObject({
      request_id: id,
      method: 'GET',
      route: '/api/v1/crawls/{id}',
      error: 'TypeError',
      message: 'x is not a function',
    });
    expect(JSON.stringify(logged)).not.toContain(KEY);
  });

  it('is 500 even when what was thrown is no error', async () => {
    expect(seen(await fail(undefined))).toEqual([500, 'internal_error']);
    expect(seen(await fail('a text'))).toEqual([500, 'internal_error']);
  });
});

describe('a key', () => {
  it.each([
    { key: null, type: 'missing_api_key' },
    { key: 'kn_unknown', type: 'invalid_api_key' },
    { key: 'kn_expired', type: 'expired_api_key' },
  ])('$key is refused with $type and a challenge', async ({ key, type }) => {
    const answer = await app.ask('GET', '/api/v1/crawls', { key });
    expect(seen(answer)).toEqual([401, type]);
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer realm="knowledger", ApiKey header="x-api-key"',
    );
  });

  it('may come as a bearer token, whatever the case of its scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
      const headers = { authorization: `${scheme} ${KEY}` };
      expect((await app.ask('GET', '/api/v1/crawls', { key: null, headers })).status).toBe(200);
      expect((await app.ask('GET', '/api/v1/crawls', { headers })).status).toBe(200);
    }
  });

  it('that comes twice, and differs, is refused: nobody knows which is meant', async () => {
    const headers = { authorization: 'Bearer kn_other' };
    expect(seen(await app.ask('GET', '/api/v1/crawls', { headers }))).toEqual([400, 'invalid_request']);
  });

  it.each(['Basic am86cHc=', 'Bearer', 'Bearer ', 'Digest x=1', KEY])(
    'is not read from Authorization: %s, which says nothing against x-api-key either',
    async (authorization) => {
      const headers = { authorization };
      const alone = await app.ask('GET', '/api/v1/crawls', { key: null, headers });
      expect(seen(alone)).toEqual([401, 'missing_api_key']);
      expect((await app.ask('GET', '/api/v1/crawls', { headers })).status).toBe(200);
    },
  );

  it.each([
    { token: 'kn_unknown', status: 401, error: 'error="invalid_token"' },
    { token: 'kn_expired', status: 401, error: 'error="invalid_token"' },
    { token: 'kn_audit:read', status: 403, error: 'error="insufficient_scope", scope="ingestion:manage"' },
  ])(
    'as the bearer token $token is refused in the terms of that scheme',
    async ({ token, status, error }) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await app.ask('GET', '/api/v1/crawls', { key: null, headers });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer realm="knowledger", ${error}, ApiKey header="x-api-key"`,
      );
    },
  );

  it('is asked for before anything else is looked at', async () => {
    const body = 'not json';
    const answer = await app.ask('POST', '/api/v1/crawls?x=1', { key: null, body });
    expect(seen(answer)).toEqual([401, 'missing_api_key']);
  });

  it.each(SCOPES)(
    'with the scope %s alone enters where the document asks for it, and nowhere else',
    async (scope) => {
      for (const [path, item] of Object.entries(app.document.paths)) {
        for (const [method, operation] of Object.entries(item)) {
          const wanted = (operation as { 'x-required-scope'?: string })['x-required-scope'];
          if (wanted === undefined) continue;
          const place = `/api/v1${path.replace('{id}', 'no-uuid')}?no_such_field=1`;
          const answer = await app.ask(method.toUpperCase(), place, { key: `kn_${scope}` });
          // Who may enter is told of the mistake in the query; who may not is told nothing.
          const expected = wanted === scope ? /^invalid_/ : /^insufficient_scope$/;
          expect(answer.json().error.type).toMatch(expected);
        }
      }
    },
  );

  it('is told what it may do, whatever its scopes', async () => {
    const me = async (key: string | null) => (await app.ask('GET', '/api/v1/me', { key })).json();
    const known = { kind: 'api_key', id: ID, name: 'a key' };
    expect(await me(KEY)).toEqual({ ...known, scopes: SCOPES });
    for (const scope of SCOPES) expect(await me(`kn_${scope}`)).toEqual({ ...known, scopes: [scope] });
    for (const key of [null, 'kn_unknown', 'kn_expired'])
      expect((await app.ask('GET', '/api/v1/me', { key })).status).toBe(401);
    const restricted = await runApp(() => ({
      authenticate: Object.assign(
        async () => ({ ok: true as const, key: { ...keyRow(KEY)!, sourceGroupIds: [OTHER_ID] } }),
        { clearCache: () => undefined },
      ),
    }));
    const answer = await restricted.ask('GET', '/api/v1/me');
    expect(answer.json()).toEqual({ ...known, scopes: SCOPES, source_group_ids: [OTHER_ID] });
  });

  it('is slowed down at its rate, with the time to wait', async () => {
    const answers = [];
    for (let i = 0; i < 3; i += 1) answers.push(await app.ask('GET', '/api/v1/crawls', { key: 'kn_slow' }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(seen(answers[2] as Answer)).toEqual([429, 'rate_limited']);
    expect(answers[2]?.headers.get('retry-after')).toBe('30');
    const told = answers.map(({ headers }) => [headers.get('ratelimit-policy'), headers.get('ratelimit')]);
    expect(told).toEqual([1, 0, 0].map((left) => ['"key";q=2;w=60', `"key";r=${left};t=30`]));
    const query = await app.ask('GET', '/api/v1/crawls?no_such=1');
    expect(query.headers.has('ratelimit')).toBe(false);
    expect((await app.ask('GET', '/api/v1/crawls')).status).toBe(200);
  });
});

describe('a read that must hold a write', () => {
  it('is 503 while the view is behind', async () => {
    const answer = await app.ask('GET', '/api/v1/crawls', { headers: { 'x-min-position': '00:01' } });
    expect(seen(answer)).toEqual([503, 'unavailable']);
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  it('is refused at once where the log has not come, or cannot come', async () => {
    const waits: number[] = [];
    const at = (holds: (position: string) => Promise<boolean>) =>
      runApp(() => ({
        feed: { holds },
        gate: { reached: async (_views, _position, ms) => (waits.push(ms), false) },
      }));
    const none = await at(async () => false);
    const foreign = await at(() => Promise.reject(new DomainError('invalid_cursor', 'no position')));
    for (const one of [none, foreign]) {
      const answer = await one.ask('GET', '/api/v1/crawls', { headers: { 'x-min-position': '00:09' } });
      expect(seen(answer)).toEqual([400, 'invalid_request']);
    }
    expect(waits).toEqual([0, 0]);
  });

  it.each(['', ' ', 'a b', '-1', 'x'.repeat(200), "'; drop table"])(
    'refuses the position %j',
    async (position) => {
      const answer = await app.ask('GET', '/api/v1/crawls', { headers: { 'x-min-position': position } });
      expect(seen(answer)).toEqual([400, 'invalid_request']);
    },
  );
});

describe('an Idempotency-Key', () => {
  it.each(['', 'a b', 'ü', 'x'.repeat(256)])('of %j is refused', async (key) => {
    const body = { name: 'r', scopes: ['knowledge:read'] };
    const answer = await app.ask('POST', '/api/v1/api-keys', { headers: { 'idempotency-key': key }, body });
    expect(seen(answer)).toEqual([400, 'invalid_request']);
  });

  it('reaches the operation', async () => {
    const keys: (string | undefined)[] = [];
    const noting = await runApp(({ apiKeys }) => ({
      apiKeys: {
        ...apiKeys,
        issue: async (caller, request, key) => {
          keys.push(key);
          return apiKeys.issue(caller, request, key);
        },
      },
    }));
    const body = { name: 'r', scopes: ['knowledge:read'] };
    await noting.ask('POST', '/api/v1/api-keys', { headers: { 'idempotency-key': 'once~1' }, body });
    await noting.ask('POST', '/api/v1/api-keys', { body });
    expect(keys).toEqual(['once~1', undefined]);
  });
});
