import { responseOf } from '../../support/openapi-check.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { EXPOSED_HEADERS, originProblem } from '../../../adapters/http/cors.ts';
import { operationsOf } from '../../support/openapi-check.ts';
import { ID } from './fake-records.ts';
import { type Answer, runApp, type RunningApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();
let closed: RunningApp;
let open: RunningApp;
let all: RunningApp;
beforeAll(async () => {
  closed = await runApp();
  open = await runApp(() => ({ corsOrigins: ['https://app.example.com', 'http://localhost:5173'] }));
  all = await runApp(() => ({ corsOrigins: ['*'] }));
});

const APP = 'https://app.example.com';
const preflight = (app: RunningApp, path: string, origin: string, method: string): Promise<Answer> => {
  const headers = { origin, 'access-control-request-method': method };
  return app.ask('OPTIONS', path, { key: null, headers });
};
const allowed = ({ headers }: Answer): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-'));

describe('pages of other origins', () => {
  it('read nothing where nobody has let them in', async () => {
    const headers = { origin: APP };
    expect(allowed(await closed.ask('GET', '/api/v1/crawls', { headers }))).toEqual([]);
    expect(allowed(await preflight(closed, '/api/v1/crawls', APP, 'POST'))).toEqual([]);
    const answer = await closed.ask('GET', '/api/v1/crawls', { headers });
    expect(answer.headers.has('vary')).toBe(false);
  });

  it('read answers and refusals, once their origin is let in', async () => {
    for (const key of ['kn_unknown', undefined]) {
      const headers = { origin: APP };
      const answer = await open.ask('GET', '/api/v1/crawls', { headers, ...(key !== undefined && { key }) });
      expect(answer.status).toBe(key === undefined ? 200 : 401);
      expect(answer.headers.get('access-control-allow-origin')).toBe(APP);
      expect(answer.headers.get('vary')).toBe('Origin');
      expect(answer.headers.get('access-control-expose-headers')).toBe(EXPOSED_HEADERS.join(', '));
    }
  });

  it.each([
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'null',
  ])('at %s read nothing, as it is another origin', async (origin) => {
    expect(allowed(await preflight(open, '/api/v1/crawls', origin, 'POST'))).toEqual([]);
    const answer = await open.ask('GET', '/api/v1/crawls', { headers: { origin } });
    expect(allowed(answer)).toEqual([]);
    // Or else a cache would give them the answer to somebody who may.
    expect(answer.headers.get('vary')).toBe('Origin');
  });

  it('are never let send what browsers add by themselves', async () => {
    for (const app of [open, all]) {
      const answer = await preflight(app, '/api/v1/crawls', APP, 'POST');
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
    }
  });

  it('may be all of them', async () => {
    for (const origin of [APP, 'null', 'https://elsewhere.example']) {
      const answer = await all.ask('GET', '/api/v1/crawls', { headers: { origin } });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
  });
});

describe('a preflight', () => {
  it('needs no key, and allows every method and header of the document', async () => {
    for (const { method, path } of operationsOf(open.document)) {
      const answer = await preflight(open, path.replaceAll(/\{\w+\}/g, ID), APP, method);
      expect([answer.status, answer.body]).toEqual([204, '']);
      expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
      const names = new Set(answer.headers.get('access-control-allow-headers')?.split(', '));
      for (const name of headerParameters(open, method, path)) expect(names).toContain(name);
      for (const name of ['authorization', 'content-type', 'x-api-key']) expect(names).toContain(name);
    }
  });

  it('is none without the method that is asked for: OPTIONS is answered as ever', async () => {
    const answer = await open.ask('OPTIONS', '/api/v1/crawls', { key: null, headers: { origin: APP } });
    expect(answer.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS');
  });
});

describe('what pages may read', () => {
  it('holds every header that the document has', () => {
    const documented = new Set<string>();
    for (const item of Object.values(open.document.paths)) {
      for (const operation of Object.values(item)) {
        const { responses = {} } = operation as { responses?: Record<string, { headers?: object }> };
        for (const response of Object.values(responses)) {
          const { headers = {} }: { headers?: object } = responseOf(open.document, response);
          for (const name of Object.keys(headers)) documented.add(name);
        }
      }
    }
    expect(documented.size).toBeGreaterThan(4);
    expect([...documented].filter((name) => !EXPOSED_HEADERS.includes(name))).toEqual([]);
  });
});

describe('an origin', () => {
  it.each([
    APP,
    'http://localhost:5173',
    'http://127.0.0.1',
    'http://[::1]:8080',
    'https://xn--bcher-kva.example',
  ])('is %s, as browsers send it', (text) => expect(originProblem(text)).toBeUndefined());

  it('that differs by a letter from what browsers send is told as it has to be written', () => {
    expect(originProblem('https://App.example.com:443/')).toBe(
      'never comes from a browser: write https://app.example.com',
    );
  });
});

const headerParameters = (app: RunningApp, method: string, path: string): string[] => {
  const item = app.document.paths[path.replace('/api/v1', '')] ?? app.document.paths[path];
  const operation = item?.[method.toLowerCase()] as { parameters?: { name: string; in: string }[] };
  return (operation.parameters ?? []).filter((one) => one.in === 'header').map(({ name }) => name);
};
