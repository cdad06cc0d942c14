import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ModelProvider, openModelProvider } from '../../tests/support/model-provider.ts';
import type { Service } from '../../tests/support/service.ts';
import type { Bench, Result } from '../bench.ts';
import { recordDelays } from '../event-loop/delays.ts';
import { median } from '../measuring/side-by-side.ts';
import { crawlSite, startProgram } from '../site/program.ts';
import { openSite } from '../site/site.ts';
import { pacedModel } from './paced-model.ts';

const OVERHEAD_MS = 15;
const DELAY_MS = 50;
const LIMIT = 8;
const AT_ONCE = 200;

type Post = (path: string, body: object) => Promise<{ readonly firstMs: number; readonly text: string }>;

/** What a completion adds to its search until the first token, and how many may be under way at once. */
export const completionsBench: Bench = {
  name: 'completions',
  needs: [],
  measure: async function* measure({ quick, profiling, cleanup }) {
    const site = await openSite(cleanup, quick);
    const provider = await openModelProvider();
    cleanup.defer(provider.close);
    const delays = await recordDelays(cleanup, profiling.env);
    const model = { LLM_URL: provider.baseUrl, LLM_MODEL: 'stand-in' };
    const service = await startProgram(site, cleanup, { ...delays.env, ...model });
    await crawlSite(service, site);
    const post = poster(service, cleanup);
    const first = (times: number) => profiling.profiledIn(service, () => firstTokens(post, site.word, times));
    await first(quick ? 3 : 50);
    yield overhead(await first(quick ? 10 : 200));

    const count = quick ? 20 : AT_ONCE;
    await streams(post, provider, site.word, count);
    await delays.since(service);
    const { errors, maxAtOnce } = await profiling.profiledIn(service, () =>
      streams(post, provider, site.word, count),
    );
    const { p50, p99, max } = await delays.since(service);
    yield {
      bench: 'completions at once',
      ratio: p99 / DELAY_MS,
      ours: p99,
      rival: DELAY_MS,
      measured: 'over HTTP',
      unit: 'ms, p99 of the event loop delay',
      target: `< ${DELAY_MS} ms, no errors`,
      met: p99 < DELAY_MS && errors.length === 0,
      streams: count,
      most_at_once: maxAtOnce,
      errors: errors.length,
      first_error: errors[0] ?? null,
      p50,
      max,
      rival_is: 'the target',
    };
  },
};

/** Posts JSON and tells when the first byte of the answer's body came. @throws unless answered with 200, whole */
const poster = ({ base, key }: Service, cleanup: AsyncDisposableStack): Post => {
  const agent = new Agent({ keepAlive: true });
  cleanup.defer(() => agent.destroy());
  return async (path, body) => {
    const json = JSON.stringify(body);
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(json),
    };
    const begun = performance.now();
    const sent = request(`${base}/api/v1${path}`, { method: 'POST', agent, headers });
    sent.end(json);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let firstMs = Number.NaN;
    response.once('readable', () => (firstMs = performance.now() - begun));
    const answered = await text(response);
    if (response.statusCode !== 200) throw new Error(`POST ${path}: ${response.statusCode} ${answered}`);
    return { firstMs, text: answered };
  };
};

const question = (word: string, nth: number): string => `${word} ${nth}`;
const completion = (query: string) => ({
  messages: [{ role: 'user', content: query }],
  stream: true,
  limit: LIMIT,
});

/** Milliseconds until the first token, and those of the search for the same question, in random order. */
const firstTokens = async (post: Post, word: string, times: number) => {
  const pairs: { ours: number; rival: number }[] = [];
  for (let nth = 0; nth < times; nth++) {
    const query = question(word, nth);
    const pair = { ours: 0, rival: 0 };
    const ours = async () => (pair.ours = (await post('/completions', completion(query))).firstMs);
    const rival = async () => (pair.rival = (await post('/search', { query, limit: LIMIT })).firstMs);
    for (const one of Math.random() < 0.5 ? [ours, rival] : [rival, ours]) await one();
    pairs.push(pair);
  }
  return pairs;
};

const overhead = (pairs: readonly { readonly ours: number; readonly rival: number }[]): Result => {
  const [ours, rival] = [median(pairs.map((pair) => pair.ours)), median(pairs.map((pair) => pair.rival))];
  const more = median(pairs.map((pair) => pair.ours - pair.rival));
  return {
    bench: 'completions first token',
    ratio: ours / rival,
    ours,
    rival,
    measured: 'over HTTP',
    unit: 'ms until the first byte, median',
    target: `<= ${OVERHEAD_MS} ms more than the rival, median`,
    met: more <= OVERHEAD_MS,
    more_ms: Math.round(more * 100) / 100,
    completions: pairs.length,
    rival_is: 'POST /search for the same question',
  };
};

/** So many completions at once, each read to its end. What is cut or altered counts as an error. */
const streams = async (post: Post, provider: ModelProvider, word: string, count: number) => {
  const model = pacedModel(50, 40);
  const before = provider.otherwise;
  provider.otherwise = model.answer;
  const all = await Promise.allSettled(
    Array.from({ length: count }, async (_, nth) => {
      const { text: answered } = await post('/completions', completion(question(word, nth)));
      if (answered !== model.text) throw new Error(`another text: ${answered.slice(0, 100)}`);
    }),
  );
  provider.otherwise = before;
  const failed = all.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  return {
    errors: failed.map(({ reason }) => (reason as Error).message),
    maxAtOnce: model.maxAtOnce(),
  };
};
