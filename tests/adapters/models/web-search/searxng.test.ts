import { Agent } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createSearxngWebSearch,
  type SearxngOptions,
} from '../../../../adapters/models/web-search/searxng/web-search.ts';
import {
  hangs,
  hangsUp,
  json,
  type JsonProvider,
  openJsonProvider,
  sends,
} from '../../../support/json-provider.ts';

const KEY = 'sk-secret-of-the-search-engine';
const never = new AbortController().signal;
const dispatcher = new Agent();
const page = (n: number, more: object = {}) => ({
  url: `https://site${n}.example/page`,
  title: `Page ${n}`,
  content: `Snippet ${n}.`,
  engine: 'stand-in',
  score: 1 / n,
  ...more,
});
const found = { query: 'q', results: [page(1), page(2), page(3)], suggestions: ['other words', 'more'] };

let provider: JsonProvider;
const waits: number[] = [];
beforeAll(async () => {
  provider = await openJsonProvider(json(found));
});
afterEach(() => {
  provider.asked.length = 0;
  provider.next.length = 0;
  provider.otherwise = json(found);
  waits.length = 0;
});
afterAll(async () => {
  await dispatcher.destroy();
  await provider.close();
});

const open = (options: Partial<SearxngOptions> = {}) =>
  createSearxngWebSearch({
    dispatcher,
    url: provider.url,
    key: KEY,
    sleep: async (ms) => void waits.push(ms),
    ...options,
  });
const search = (limit = 5, options: Partial<SearxngOptions> = {}) =>
  open(options).search('what is it?', limit, never);
const failure = async (options: Partial<SearxngOptions> = {}): Promise<Error> => {
  const error: unknown = await search(5, options).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(Error);
  return error as Error;
};
const resultsOf = async (...results: readonly unknown[]) => {
  provider.next.push(json({ results }));
  return (await search()).results;
};

describe('a web search with SearXNG', () => {
  it('asks for JSON, and answers the best results and what else could be asked', async () => {
    expect(await search(2, { url: `${provider.url}/` })).toEqual({
      query: 'what is it?',
      results: [
        { url: 'https://site1.example/page', title: 'Page 1', snippet: 'Snippet 1.' },
        { url: 'https://site2.example/page', title: 'Page 2', snippet: 'Snippet 2.' },
      ],
      suggestions: ['other words', 'more'],
    });
    const [asked] = provider.asked;
    expect(asked).toMatchObject({ method: 'GET', path: '/search?q=what+is+it%3F&format=json', body: '' });
    expect(asked!.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('sends no key where there is none, and nothing that would send it to another site', async () => {
    const { query } = await open({ key: undefined }).search('!!g is !important !!wiki', 5, never);
    expect(query).toBe('g is !important wiki');
    const [asked] = provider.asked;
    expect(asked!.headers).not.toHaveProperty('authorization');
    expect(new URL(asked!.path, provider.url).searchParams.get('q')).toBe('g is !important wiki');
  });

  it('leaves out addresses that are no web pages, and credentials in those that are', async () => {
    const results = await resultsOf(
      page(1, { url: 'javascript:alert(1)' }),
      page(2, { url: 'data:text/html,x' }),
      page(3, { url: 'file:///etc/passwd' }),
      page(4, { url: 'not a url' }),
      page(5, { url: 17 }),
      page(6, { url: `https://site6.example/${'x'.repeat(2_000)}` }),
      page(7, { url: 'https://user:hunter2@site7.example/p?q#f' }),
      page(8, { url: 'https://site7.example/p?q#f' }),
      page(9, { url: 'http://127.0.0.1:1/inside' }),
    );
    expect(results.map(({ url }) => url)).toEqual([
      'https://site7.example/p?q#f',
      'http://127.0.0.1:1/inside',
    ]);
  });

  it('makes titles and snippets one line each, of limited length, without markup of hits and what is unseen', async () => {
    const [first, second, ...rest] = await resultsOf(
      page(1, {
        title: ` A <b class="x">bold</b>\n\ttitle\u0000 `,
        content: `a < b, c > d \u202Edesrever\u202C \u200B${String.fromCodePoint(0xe0041)} <em>hit</em>`,
      }),
      page(2, { title: '', content: '😀'.repeat(1_000) }),
      page(3, { content: null }),
      page(4, { content: ' \u200B ' }),
      'nothing',
      null,
    );
    expect(first).toMatchObject({ title: 'A bold title', snippet: 'a < b, c > d desrever hit' });
    expect(second!.title).toBe('site2.example');
    expect(second!.snippet).toHaveLength(600);
    expect(second!.snippet.isWellFormed()).toBe(true);
    expect(rest).toEqual([]);
  });

  it.each([
    ['a 500', sends('', 500)],
    ['a 429', sends('', 429)],
    ['a connection that breaks', hangsUp],
  ])('tries once more after %s', async (_, answer) => {
    provider.next.push(answer);
    expect((await search()).results).toHaveLength(3);
    expect(provider.asked).toHaveLength(2);
    provider.otherwise = answer;
    expect(await failure()).toMatchObject({ name: 'ProviderError', retryable: true });
    expect(provider.asked).toHaveLength(4);
    expect(waits.every((ms) => ms <= 250)).toBe(true);
  });

  describe('of engines that have all failed', () => {
    const failed = json({ results: [], unresponsive_engines: [['duck', 'timeout']] });
    const nothing = json({ results: [], unresponsive_engines: [] });
    let now = 0;
    const refused = { name: 'ProviderError', message: expect.stringContaining('no search engine') };

    it('says so at once, and takes none of their empty answers for a finding while they are left out', async () => {
      const web = open({ now: () => now });
      const look = () => web.search('q', 5, never);
      provider.otherwise = nothing;
      expect((await look()).results).toEqual([]);
      provider.next.push(failed);
      await expect(look()).rejects.toMatchObject(refused);
      expect(provider.asked).toHaveLength(2);
      now += 119_000;
      await expect(look()).rejects.toMatchObject(refused);
      now += 1_000;
      expect((await look()).results).toEqual([]);
    });

    it('believes an empty answer again after one with results', async () => {
      const web = open({ now: () => now });
      const look = () => web.search('q', 5, never);
      provider.next.push(failed, json(found), nothing);
      await expect(look()).rejects.toMatchObject(refused);
      expect((await look()).results).toHaveLength(3);
      expect((await look()).results).toEqual([]);
    });
  });

  it.each([
    ['a format that is not allowed', sends('', 403), /403$/],
    ['a redirect', sends('', 302, { location: 'https://elsewhere.example/' }), /elsewhere: it answers 302$/],
    ['something else than JSON', sends('<html>'), /a response that is not JSON/],
    ['JSON that is no answer', sends('[1]'), /without results/],
    ['null', sends('null'), /without results/],
  ])('gives up at once on %s', async (_, answer, message) => {
    provider.otherwise = answer;
    const error = await failure();
    expect(error).toMatchObject({ name: 'ProviderError', retryable: false });
    expect(error.message).toMatch(message);
    expect(provider.asked).toHaveLength(1);
  });

  it('reads no more than it may', async () => {
    provider.otherwise = json({ results: [page(1, { content: 'x'.repeat(10_000) })] });
    expect((await failure({ maxBytes: 5_000 })).message).toContain('a response of over 5000 bytes');
    expect(provider.asked).toHaveLength(1);
  });

  it('gives up in time, and is not tried again then', async () => {
    for (const answer of [hangs, (response: Parameters<typeof hangs>[0]) => void response.write('{')]) {
      provider.asked.length = 0;
      provider.otherwise = answer;
      const error = await failure({ timeoutMs: 50 });
      expect(error).toMatchObject({ name: 'ProviderTimeout' });
      expect(error.message).toMatch(/^the web search provider took longer than 50 ms/);
      expect(provider.asked).toHaveLength(1);
    }
  });

  it('waits no longer than two seconds for a provider that asks for time', async () => {
    provider.otherwise = sends('', 503, { 'retry-after': '60' });
    await failure();
    expect(provider.asked).toHaveLength(1);
    provider.next.push(sends('', 503, { 'retry-after': '1' }));
    provider.otherwise = json(found);
    await search();
    expect(waits).toEqual([1_000]);
  });

  it('ends with the caller, and tells neither key nor question in an error', async () => {
    const leaves = new AbortController();
    provider.otherwise = () => leaves.abort(new Error('gone'));
    await expect(open().search('q', 5, leaves.signal)).rejects.toThrow('gone');
    provider.otherwise = sends(`what is it? ${KEY}`, 401);
    expect(String((await failure()).stack)).not.toMatch(/what is it|sk-secret|127\.0\.0\.1/);
  });
});
