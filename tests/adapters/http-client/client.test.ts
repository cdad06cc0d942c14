import { describe, expect, it } from 'vitest';
import { createGuardedAgent } from '../../../adapters/crawler/guarded-connector.ts';
import { ResponseTooLarge, RequestRefused } from '../../../adapters/http-client/provider-response.ts';

import {
  SourceUnavailable,
  SourceRefused,
} from '../../../application/sources/ingestion/listed/listed-source.ts';
import { hangs, hangsUp, json, sends } from '../../support/json-provider.ts';
import { errorOf, never, NOW, opened, provided } from './opened.ts';

const SECRET = { authorization: 'Bearer planted-secret' };
const asIs = (value: unknown): unknown => value;

describe('what is asked and answered', () => {
  it('sends headers, and answers status, headers and body', async () => {
    const { client, provider, request } = await opened();
    provider.next.push(sends('{"a":1}', 200, { etag: '"x"' }));
    const asked = request('/a?b=c', { headers: { 'if-none-match': '"w"' }, secretHeaders: SECRET });
    const answer = await client.ask(
      asked,
      async ({ status, header, url }) => [status, header('etag'), url.pathname],
      never,
    );
    expect(answer).toEqual([200, '"x"', '/a']);
    expect(provider.asked[0]).toMatchObject({
      method: 'GET',
      path: '/a?b=c',
      headers: { 'if-none-match': '"w"', 'user-agent': 'knowledger', ...SECRET },
    });
  });

  it('posts JSON, and forms', async () => {
    const { client, provider, request } = await opened();
    await client.json(request('/', { body: { a: 1 } }), asIs, never);
    await client.json(request('/', { body: new URLSearchParams({ b: '2 3' }) }), asIs, never);
    expect(
      provider.asked.map(({ method, body, headers }) => [method, headers['content-type'], body]),
    ).toEqual([
      ['POST', 'application/json', '{"a":1}'],
      ['POST', 'application/x-www-form-urlencoded', 'b=2+3'],
    ]);
  });

  it('takes a status that the request names for an answer, and goes on by the same connection', async () => {
    const { client, provider, request } = await opened();
    provider.next.push(sends('', 304));
    expect(await client.ask(request('/', { takes: [304] }), async ({ status }) => status, never)).toBe(304);
    expect(await client.json(request(), asIs, never)).toEqual({});
  });

  it('gives the body in parts, as they come', async () => {
    const { client, provider, request } = await opened();
    provider.next.push((response) => {
      response.writeHead(200);
      response.write('first');
      provider.next.push((other) => {
        other.end('{}');
        response.end('second');
      });
    });
    const parts: string[] = [];
    await client.ask(
      request(),
      async ({ body }) => {
        for await (const part of body) {
          parts.push(Buffer.from(part).toString());
          // The second part comes only when the first was seen.
          if (parts.length === 1) await client.json(request('/go-on'), asIs, never);
        }
      },
      never,
    );
    expect(parts).toEqual(['first', 'second']);
  });

  it('ends with a body that is larger than allowed, and asks once', async () => {
    const { client, provider, request } = await opened();
    provider.next.push(sends('x'.repeat(101)), sends('x'.repeat(100)));
    expect(await errorOf(client.bytes(request('/', { maxBytes: 100 }), never))).toBeInstanceOf(
      ResponseTooLarge,
    );
    expect(await client.bytes(request('/', { maxBytes: 100 }), never)).toHaveLength(100);
    expect(provider.asked).toHaveLength(2);
  });
});

describe('redirects', () => {
  it('are followed with the credentials within one origin, and without them to another', async () => {
    const { client, provider, request } = await opened();
    const other = await provided();
    other.next.push(sends('', 302, { location: `${provider.url}/back` }));
    provider.next.push(
      sends('', 301, { location: '/moved?x=1' }),
      sends('', 302, { location: `${other.url}/archive` }),
    );
    const found = await client.json(request('/', { secretHeaders: SECRET }), asIs, never);
    expect(found).toEqual({});
    expect(provider.asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/', SECRET.authorization],
      ['/moved?x=1', SECRET.authorization],
      ['/back', undefined],
    ]);
    expect(other.asked.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it('in a circle end, and so do those that lead nowhere', async () => {
    const { client, provider, request } = await opened();
    provider.otherwise = sends('', 302, { location: '/' });
    const error = await errorOf(client.json(request(), asIs, never));
    expect(error).toBeInstanceOf(SourceUnavailable);
    expect(error.message).toBe('the host redirects more than 5 times');
    provider.otherwise = sends('', 302, { location: 'file:///etc/passwd' });
    expect((await errorOf(client.json(request(), asIs, never))).message).toBe(
      'the host redirects to an invalid address',
    );
  });

  it('of what is not a GET are not followed', async () => {
    const { client, provider, request } = await opened();
    provider.next.push(sends('', 307, { location: '/elsewhere' }));
    const error = await errorOf(client.json(request('/', { body: {} }), asIs, never));
    expect(error).toMatchObject({ name: 'RequestRefused', status: 307 });
    expect(provider.asked).toHaveLength(1);
  });

  it('to an address that is not public reach nothing', async () => {
    const other = await provided();
    const provider = await provided();
    const dispatcher = createGuardedAgent({ allowAddresses: [new URL(provider.url).host] });
    const { client, request } = await opened({ dispatcher });
    provider.next.push(sends('', 302, { location: `${other.url}/inner` }));
    const error = await errorOf(client.json({ ...request(), url: new URL(provider.url) }, asIs, never));
    expect(error).toMatchObject({ name: 'SourceRefused', code: 'address_not_allowed' });
    expect(other.asked).toEqual([]);
    await dispatcher.destroy();
  });
});

describe('refusals', () => {
  it.each([400, 403, 404, 409, 410, 422])('%i is a no to this request', async (status) => {
    const { client, provider, request } = await opened();
    provider.otherwise = sends('{"message":"why"}', status);
    const error = await errorOf(client.json(request(), asIs, never));
    expect(error).toBeInstanceOf(RequestRefused);
    expect(error).toMatchObject({ status, json: { message: 'why' }, message: `the host answers ${status}` });
    expect(provider.asked).toHaveLength(1);
  });

  it.each([
    ['a no to the credentials', SECRET, 'renew the secret of this data source'],
    ['a question for credentials where none were sent', {}, 'only what is public is read'],
  ])('401 is %s', async (_, secretHeaders, advice) => {
    const { client, provider, request } = await opened();
    provider.otherwise = sends('planted-secret', 401);
    const error = await errorOf(client.json(request('/', { secretHeaders }), asIs, never));
    expect(error).toBeInstanceOf(SourceRefused);
    expect(error).toMatchObject({ code: 'credentials_rejected', title: 'Credentials rejected' });
    expect(error.message).toContain(advice);
    expect(error.message).not.toContain('planted');
    expect(provider.asked).toHaveLength(1);
  });

  it('mean what the provider of this client says they mean', async () => {
    const { client, provider, request, waits } = await opened({
      judge: ({ status, json: body }) =>
        status === 403 && (body as { limit?: boolean }).limit === true
          ? { kind: 'wait', ms: 4_000 }
          : undefined,
    });
    provider.next.push(sends('{"limit":true}', 403), sends('{"limit":false}', 403));
    expect(await errorOf(client.json(request(), asIs, never))).toMatchObject({ status: 403 });
    expect(waits).toEqual([4_000]);
  });
});

describe('what may pass', () => {
  it.each([
    ['an error of the server', sends('', 502)],
    ['a connection that breaks', hangsUp],
    [
      'a body that breaks off',
      (response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('{', () => response.socket?.resetAndDestroy());
      },
    ],
    ['something else than JSON', sends('<html>')],
  ] satisfies readonly (readonly [string, typeof hangs])[])('%s is tried again', async (_, answer) => {
    const { client, provider, request, waits } = await opened();
    provider.next.push(answer, answer, json({ a: 1 }));
    expect(await client.json(request(), asIs, never)).toEqual({ a: 1 });
    expect(waits).toEqual([500, 1_000]);
  });

  it('reads a body that broke off from its beginning', async () => {
    const { client, provider, request } = await opened();
    provider.next.push((response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.socket?.resetAndDestroy());
    }, sends('whole'));
    const tries: string[] = [];
    await client.ask(
      request(),
      async ({ body }) => {
        tries.push('');
        for await (const part of body) tries[tries.length - 1] += Buffer.from(part).toString();
      },
      never,
    );
    expect(tries.at(-1)).toBe('whole');
    expect(tries).toHaveLength(2);
  });

  it('tells at the end whether the provider is away, or this request goes unanswered', async () => {
    const { client, provider, request } = await opened();
    provider.otherwise = sends('a word of the provider', 500);
    const error = await errorOf(client.json(request(), asIs, never));
    expect(error).toBeInstanceOf(SourceUnavailable);
    expect(error).toMatchObject({ message: 'the host answers 500', oneRequest: true, notBefore: undefined });
    expect(provider.asked).toHaveLength(3);
    await provider.close();
    const away = await errorOf(client.json(request(), asIs, never));
    expect(away).toMatchObject({ name: 'SourceUnavailable', oneRequest: false });
    expect(away.message).toMatch(/^the host cannot be reached: E\w+$/);
  });

  it('ends a try when nothing comes any more', async () => {
    const { client, provider, request } = await opened({ idleTimeoutMs: 50 });
    provider.next.push(hangs);
    expect(await client.json(request(), asIs, never)).toEqual({});
    provider.otherwise = hangs;
    const error = await errorOf(client.json(request(), asIs, never));
    expect(error).toMatchObject({ message: 'the host does not respond in time', oneRequest: true });
  });

  it('passes on what the reader of the answer throws, and asks once', async () => {
    const { client, provider, request } = await opened();
    const broken = new Error('broken');
    const read = async (): Promise<void> => {
      throw broken;
    };
    expect(await errorOf(client.ask(request(), read, never))).toBe(broken);
    expect(provider.asked).toHaveLength(1);
  });
});

describe('waits that the provider asks for', () => {
  it.each([
    [429, '7', 7_000],
    [503, new Date(NOW + 9_000).toUTCString(), 9_000],
  ])('of %i with Retry-After %s are slept', async (status, asked, ms) => {
    const { client, provider, request, waits } = await opened();
    provider.next.push(sends('', status, { 'retry-after': asked }));
    expect(await client.json(request(), asIs, never)).toEqual({});
    expect(waits).toEqual([ms]);
  });

  it('that are long end the attempt, and say when it may go on', async () => {
    const { client, provider, request, waits } = await opened();
    provider.otherwise = sends('', 429, { 'retry-after': '3600' });
    const error = await errorOf(client.json(request(), asIs, never));
    expect(error).toBeInstanceOf(SourceUnavailable);
    expect(error).toMatchObject({ notBefore: NOW + 3_600_000, oneRequest: false });
    expect([provider.asked.length, waits]).toEqual([1, []]);
    // The next request knows, and is not sent.
    await errorOf(client.json(request(), asIs, never));
    expect(provider.asked).toHaveLength(1);
  });

  it('end the attempt too where they never end', async () => {
    const { client, provider, request, waits } = await opened();
    provider.otherwise = sends('', 429, { 'retry-after': '10' });
    const error = await errorOf(client.json(request(), asIs, never));
    expect(error).toMatchObject({ notBefore: NOW + 40_000 });
    expect(waits).toEqual([10_000, 10_000, 10_000]);
  });
});

describe('an abort', () => {
  it.each([
    ['while the answer is awaited', hangs],
    ['while the body comes', (response) => void response.writeHead(200).write('x')],
  ] satisfies readonly (readonly [string, typeof hangs])[])(
    '%s ends it, and the connection',
    async (_, answer) => {
      const { client, provider, request } = await opened();
      const reason = new Error('stop');
      const abort = new AbortController();
      const closed = new Promise((resolve) => {
        provider.next.push((response, asked) => {
          response.socket?.once('close', resolve);
          answer(response, asked);
          setImmediate(() => abort.abort(reason));
        });
      });
      expect(await errorOf(client.json(request(), asIs, abort.signal))).toBe(reason);
      await closed;
    },
  );

  it('ends a wait', async () => {
    const abort = new AbortController();
    const { client, provider, request } = await opened({
      sleep: async (_, signal) => {
        abort.abort(new Error('stop'));
        signal.throwIfAborted();
      },
    });
    provider.next.push(sends('', 429, { 'retry-after': '5' }));
    expect((await errorOf(client.json(request(), asIs, abort.signal))).message).toBe('stop');
    expect(provider.asked).toHaveLength(1);
  });
});
