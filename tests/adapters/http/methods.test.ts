import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { operationsOf } from '../../support/openapi-check.ts';
import { ID, KEY } from './fake-records.ts';
import { runApp, type RunningApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();
let app: RunningApp;
beforeAll(async () => {
  app = await runApp();
});

/** Sends bytes as they are and answers with all that comes back. */
const raw = async (bytes: string): Promise<string> => {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes, 'latin1');
  return text(socket);
};

describe('a path', () => {
  it.each([
    '/nothing',
    '/api/v1',
    '/api/v1/',
    '/api/v2/crawls',
    '/api/v1/Crawls',
    '/docs/package.json',
    '/docs/..%2f',
  ])('%s is 404, without a key as well', async (path) => {
    const answer = await app.ask('GET', path, { key: null });
    expect([answer.status, answer.json().error.type]).toEqual([404, 'not_found']);
  });

  it('answers 405 with what it allows to any other method, without a key as well', async () => {
    const allowed = Map.groupBy(operationsOf(app.document), ({ path }) => path);
    for (const [path, operations] of allowed) {
      const methods = operations.map(({ method }) => method);
      const place = path.replace('{id}', ID);
      const expected = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted();
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
        if (methods.includes(method)) continue;
        const answer = await app.ask(method, place, { key: null });
        expect([answer.status, answer.json().error.type]).toEqual([405, 'method_not_allowed']);
        expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual(expected);
      }
      const options = await app.ask('OPTIONS', place, { key: null });
      expect([options.status, options.body]).toEqual([204, '']);
      expect(options.headers.get('allow')?.split(', ').toSorted()).toEqual(expected);
    }
  });

  it.each(['/', '/docs', '/openapi.json', '/healthz'])(
    '%s outside the base path does so too',
    async (path) => {
      expect((await app.ask('POST', path, { key: null })).status).toBe(405);
    },
  );
});

describe('HEAD', () => {
  it.each([
    '/api/v1/crawls',
    `/api/v1/sources/${ID}/raw`,
    '/api/v1/events',
    '/healthz',
    '/docs/',
    '/openapi.json',
  ])('on %s answers with the headers of GET and no body', async (path) => {
    const get = await app.ask('GET', path);
    const head = await app.ask('HEAD', path);
    expect([head.status, head.body]).toEqual([get.status, '']);
    for (const name of ['content-type', 'content-length', 'etag']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  it.each(['text/event-stream', 'application/x-ndjson'])('on a stream of %s ends at once', async (accept) => {
    const head = await app.ask('HEAD', '/api/v1/events', { headers: { accept } });
    expect([head.status, head.headers.get('content-type'), head.body]).toEqual([200, accept, '']);
  });

  it('needs a key as GET does', async () => {
    expect((await app.ask('HEAD', '/api/v1/crawls', { key: null })).status).toBe(401);
  });
});

describe('Accept', () => {
  it.each([
    '*/*',
    'application/json',
    'text/html, application/json;q=0.5',
    'application/*',
    'text/html,*/*;q=0.1',
  ])('%s gets JSON', async (accept) => {
    const answer = await app.ask('GET', '/api/v1/crawls', { headers: { accept } });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it.each(['text/html', 'application/xml', 'text/event-stream', 'application/json;q=0'])(
    '%s alone is 406 where there is nothing of it',
    async (accept) => {
      const answer = await app.ask('GET', '/api/v1/crawls', { headers: { accept } });
      expect([answer.status, answer.json().error.type]).toEqual([406, 'not_acceptable']);
    },
  );

  it('picks the stream that it likes best', async () => {
    const accept = 'application/json;q=0.5, text/event-stream';
    const answer = await app.ask('HEAD', `/api/v1/crawls/${ID}/events`, { headers: { accept } });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
  });
});

describe('the id of a request', () => {
  it.each(['abc-123', '0af7651916cd43dd8448eb211c80319c', 'a.b:c/d=e+f_g', 'x'.repeat(128)])(
    'is taken over when it is sane: %s',
    async (id) => {
      const answer = await app.ask('GET', '/api/v1/crawls', { headers: { 'x-request-id': id } });
      expect(answer.headers.get('x-request-id')).toBe(id);
    },
  );

  it.each(['', 'a b', '"><script>', 'é', '-x', 'x'.repeat(129)])('is made anew for %j', async (id) => {
    const answer = await app.ask('GET', '/nothing', { headers: { 'x-request-id': id } });
    expect(answer.headers.get('x-request-id')).toMatch(/^0199d2a0-0000-7000-9000-\d{12}$/);
  });
});

describe('the headers of every answer', () => {
  it('keep browsers from sniffing, framing and storing', async () => {
    for (const path of ['/api/v1/crawls', '/nothing', '/healthz', '/openapi.json']) {
      const { headers } = await app.ask('GET', path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.has('x-powered-by')).toBe(false);
      expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
    }
  });
});

describe('bytes that are no request', () => {
  it.each(['nonsense\r\n\r\n', 'GET /\x00 HTTP/1.1\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\nx y: 1\r\n\r\n'])(
    'are answered with the envelope: %j',
    async (bytes) => {
      const answer = await raw(bytes);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(JSON.parse(answer.split('\r\n\r\n')[1] as string).error.type).toBe('invalid_request');
    },
  );

  it.each([
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close', 400, 'Host'],
    ['an Expect that is not known', 'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: foo', 417, '100-continue'],
  ])('with %s are refused in the envelope, with what to do', async (_, head, status, remedy) => {
    const answer = await raw(`${head}\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const { error } = JSON.parse(answer.split('\r\n\r\n')[1] as string);
    expect(error).toEqual({ type: 'invalid_request', message: expect.stringContaining(remedy) });
  });

  it('of HTTP/1.0 need no Host, and 100-continue is met', async () => {
    expect(await raw('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    const answer = await raw(
      'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });

  it('with headers beyond all measure are 431', async () => {
    const answer = await raw(`GET / HTTP/1.1\r\nHost: a\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('cannot smuggle a header into an answer', async () => {
    const id = 'a%0d%0aset-cookie:%20b=1';
    const head = `GET /api/v1/crawls/${id} HTTP/1.1\r\nHost: a\r\nx-api-key: ${KEY}\r\nConnection: close`;
    const answer = await raw(`${head}\r\nx-request-id: a\u000bset-cookie: b=1\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(
      answer
        .toLowerCase()
        .split('\r\n')
        .some((line) => line.startsWith('set-cookie')),
    ).toBe(false);
  });

  it('that send one length twice, or a length and chunks, are refused before they are read', async () => {
    const head = `POST /api/v1/search HTTP/1.1\r\nHost: a\r\nx-api-key: ${KEY}\r\ncontent-type: application/json`;
    expect(await raw(`${head}\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}`)).toMatch(
      /^HTTP\/1\.1 400 /,
    );
    const both = `${head}\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`;
    expect(await raw(both)).toMatch(/^HTTP\/1\.1 400 /);
  });
});
