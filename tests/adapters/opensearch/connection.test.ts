import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { InvalidOpenSearchUrl, readOpenSearchUrl } from '../../../adapters/opensearch/address.ts';
import { createOpenSearch, OpenSearchRefusal } from '../../../adapters/opensearch/connection.ts';
import { createSearchEngineIndexes } from '../../../adapters/opensearch/indexes.ts';
import { SearchEngineUnavailable } from '../../../application/ports/search-engine.ts';
import { AUTHORITY, CERTIFICATE, KEY } from '../../support/eventstoredb/certificate.ts';
import { sourceOf } from '../contracts/search-index-world.ts';

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}
const OK: Answer = { status: 200, body: { ok: true } };
const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A cluster that answers what it is told, one after the other, the last again and again. */
const open = async (...answers: readonly (Answer | 'silence')[]) => {
  const asked: { readonly url: string; readonly authorization: string | undefined; readonly body: string }[] =
    [];
  const slept: number[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '', headers } = request;
    asked.push({ url, authorization: headers.authorization, body: await text(request) });
    const answer = answers[Math.min(asked.length, answers.length) - 1]!;
    if (answer === 'silence') return;
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.body ?? {}));
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://user:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}`;
  const patience = { attempts: 3, firstDelayMs: 100, maxDelayMs: 5_000, timeoutMs: 300 };
  const engine = createOpenSearch({
    address: readOpenSearchUrl(url),
    forCallers: patience,
    forWriters: patience,
    sleep: async (ms) => slept.push(ms),
  });
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
    () => void engine.close(),
  );
  return { engine, asked, slept, url };
};
const REQUEST = { method: 'GET', path: '/' } as const;

describe('a connection to OpenSearch', () => {
  it('signs in with the credentials of the URL', async () => {
    const { engine, asked } = await open(OK);
    expect(await engine.ask(REQUEST)).toEqual({ status: 200, body: { ok: true } });
    const basic = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
    expect(asked).toEqual([{ url: '/', authorization: basic, body: '' }]);
  });

  it('signs requests for a domain of AWS with the credentials of the environment', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization ?? '');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const before = { ...process.env };
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' });
    const nodes = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`];
    const engine = createOpenSearch({ address: { nodes, signIn: { by: 'aws', region: 'eu-central-1' } } });
    closing.push(
      () => server.close(),
      () => void engine.close(),
    );
    try {
      await engine.ask(REQUEST);
    } finally {
      process.env = before;
    }
    expect(seen[0]).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/es\/aws4_request/,
    );
  });

  it('trusts the authority that it is told of, and no other', async () => {
    const server = https.createServer({ cert: CERTIFICATE, key: KEY }, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const nodes = [`https://127.0.0.1:${(server.address() as AddressInfo).port}`];
    const sleep = async () => {};
    const [trusting, other] = [{ nodes, authority: AUTHORITY }, { nodes }].map((address) =>
      createOpenSearch({ address, sleep }),
    );
    closing.push(
      () => server.close(),
      () => void trusting!.close(),
      () => void other!.close(),
    );
    expect((await trusting!.ask(REQUEST)).status).toBe(200);
    await expect(other!.ask(REQUEST)).rejects.toBeInstanceOf(SearchEngineUnavailable);
  });

  it('waits as long as the cluster asks for, and longer with each attempt', async () => {
    const busy = { status: 429, headers: { 'retry-after': '2' } };
    const { engine, asked, slept } = await open(busy, { status: 503 }, OK);
    await engine.ask(REQUEST);
    expect(asked).toHaveLength(3);
    expect(slept[0]).toBe(2_000);
    expect(slept[1]).toBeGreaterThanOrEqual(100);
  });

  it.each([
    [{ status: 503 }, 3, 'OpenSearch answers 503'],
    [{ status: 429, headers: { 'retry-after': '3600' } }, 1, 'OpenSearch answers 429'],
    [{ status: 401 }, 1, 'OpenSearch does not accept the credentials: it answers 401'],
    ['silence' as const, 3, 'OpenSearch does not answer in time'],
  ])('is unavailable where the answer is %j', async (answer, attempts, message) => {
    const { engine, asked } = await open(answer);
    const error = await engine.ask(REQUEST).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SearchEngineUnavailable);
    expect([(error as Error).message, asked.length]).toEqual([message, attempts]);
  });

  const besides = (first: string, second: string) => {
    const patience = { attempts: 1, firstDelayMs: 1, maxDelayMs: 1, timeoutMs: 60_000, anotherAfterMs: 20 };
    const engine = createOpenSearch({ address: { nodes: [first, second] }, forCallers: patience });
    closing.push(() => void engine.close());
    return engine;
  };

  it('asks another node beside one that is silent, and then no longer the silent one first', async () => {
    const [silent, other] = [await open('silence'), await open(OK)];
    const engine = besides(silent.url, other.url);
    for (let i = 0; i < 6; i += 1) expect((await engine.ask(REQUEST)).status).toBe(200);
    expect([silent.asked.length, other.asked.length]).toEqual([1, 6]);
  });

  it('asks a node again that waited for a silent one', async () => {
    const [silent, other] = [await open('silence'), await open('silence', OK)];
    expect((await besides(silent.url, other.url).ask(REQUEST)).status).toBe(200);
  });

  it('is unavailable where nothing listens', async () => {
    const engine = createOpenSearch({
      address: readOpenSearchUrl('http://user:secret@127.0.0.1:9'),
      sleep: async () => {},
    });
    closing.push(() => void engine.close());
    const error = await engine.ask(REQUEST).catch((thrown: unknown) => thrown);
    expect(error).toEqual(new SearchEngineUnavailable('OpenSearch cannot be reached: ECONNREFUSED'));
  });

  it('tells of a refusal its kind alone', async () => {
    const error = { type: 'parsing_exception', reason: 'unknown query [a secret word]' };
    const { engine } = await open({ status: 400, body: { error } });
    await expect(engine.ask(REQUEST)).rejects.toThrow(
      new OpenSearchRefusal('OpenSearch refuses a request: 400 parsing_exception'),
    );
  });

  it('sends again what a bulk request had no room for, and nothing else', async () => {
    const [done, busy] = [
      { status: 201, result: 'created' },
      { status: 429, error: { type: 'rejected' } },
    ];
    const bulk = (...items: readonly object[]) => ({
      status: 200,
      body: { items: items.map((index) => ({ index })) },
    });
    const source = sourceOf('t', 'a', { texts: ['one', 'two'] });
    const versions = { status: 200, body: { docs: [{ _version: Number(source.revision) + 1 }, {}] } };
    const { engine, asked, slept } = await open(bulk(done), bulk(done, busy), bulk(done), OK, versions);
    await createSearchEngineIndexes(engine, { prefix: 'p' }).writer('v1').replace([source]);
    const contentsOf = (body: string) => [...body.matchAll(/"content":"([^"]+)"/g)].map(([, id]) => id);
    const [first, second] = source.contents.map(({ id }) => id);
    expect(asked.slice(1, 3).map(({ body }) => contentsOf(body))).toEqual([[first, second], [second]]);
    expect(asked.slice(3).map(({ url }) => url)).toEqual([
      '/p-v1-written/_refresh',
      '/p-v1-written/_mget?_source=false',
    ]);
    expect(slept).toHaveLength(1);
  });
});

describe('the URL of OpenSearch', () => {
  it('may name several nodes, with a user and a password', () => {
    expect(readOpenSearchUrl('https://u:p%3A%2F@a:9200/, https://b/search')).toEqual({
      nodes: ['https://a:9200', 'https://b/search'],
      signIn: { by: 'password', username: 'u', password: 'p:/' },
    });
    expect(readOpenSearchUrl('http://127.0.0.1:9200')).toEqual({ nodes: ['http://127.0.0.1:9200'] });
  });

  it.each([
    'opensearch:9200',
    'ftp://u:secret@a',
    'https://u:secret@a/?x=1',
    'https://u:secret@a,https://u:other@b',
    'https://u:%secret@a',
    'secret',
  ])('%s is refused, without a word of it', (url) => {
    const refused = () => readOpenSearchUrl(url);
    expect(refused).toThrow(InvalidOpenSearchUrl);
    expect(refused).not.toThrow(/secret/);
  });
});
