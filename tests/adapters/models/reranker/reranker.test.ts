import fc from 'fast-check';
import { Agent } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createReranker,
  type RerankerOptions,
  createScoreNormalizer,
} from '../../../../adapters/models/reranker/reranker.ts';
import {
  hangs,
  hangsUp,
  json,
  type JsonAnswer,
  type JsonProvider,
  openJsonProvider,
  sends,
} from '../../../support/json-provider.ts';

const KEY = 'sk-secret-of-the-reranker';
const never = new AbortController().signal;
const dispatcher = new Agent();

interface Body {
  readonly model?: string;
  readonly documents?: readonly string[];
  readonly texts?: readonly string[];
  readonly [field: string]: unknown;
}
/** Scores a text by its length, in tenths, and answers the best first, in the form that the request has. */
const byLength: JsonAnswer = (response, asked) => {
  const { documents, texts } = JSON.parse(asked.body) as Body;
  const scored = (documents ?? texts)!
    .map((text, index) => ({ index, length: text.length / 10 }))
    .toSorted((a, b) => b.length - a.length);
  const answer =
    documents === undefined
      ? scored.map(({ index, length }) => ({ index, score: length }))
      : { id: 'x', results: scored.map(({ index, length }) => ({ index, relevance_score: length })) };
  json(answer)(response, asked);
};
const scores = (...numbers: readonly unknown[]): JsonAnswer =>
  json({ results: numbers.map((relevanceScore, index) => ({ index, relevance_score: relevanceScore })) });

let provider: JsonProvider;
const waits: number[] = [];
beforeAll(async () => {
  provider = await openJsonProvider(byLength);
});
afterEach(() => {
  provider.asked.length = 0;
  provider.next.length = 0;
  provider.otherwise = byLength;
  waits.length = 0;
});
afterAll(async () => {
  await dispatcher.destroy();
  await provider.close();
});

const open = (options: Partial<RerankerOptions> = {}) =>
  createReranker({
    dispatcher,
    url: `${provider.url}/v2`,
    model: 'rerank-1',
    key: KEY,
    sleep: async (ms) => void waits.push(ms),
    ...options,
  });
const failure = async (options: Partial<RerankerOptions> = {}): Promise<Error> => {
  const asked = open(options).rerank('my words', ['a', 'b'], never);
  const error: unknown = await asked.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(Error);
  return error as Error;
};
const bodies = () => provider.asked.map(({ body }) => JSON.parse(body) as Body);

describe('a reranker', () => {
  it('is sent question, texts and model, and its scores come in the order of the texts', async () => {
    expect(await open({ url: `${provider.url}/v2/` }).rerank('q', ['aa', 'aaaa', 'a'], never)).toEqual([
      0.2, 0.4, 0.1,
    ]);
    expect(provider.asked).toHaveLength(1);
    expect(provider.asked[0]).toMatchObject({ method: 'POST', path: '/v2/rerank' });
    expect(provider.asked[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(bodies()).toEqual([{ model: 'rerank-1', query: 'q', documents: ['aa', 'aaaa', 'a'], top_n: 3 }]);
  });

  it('is asked without a model as text-embeddings-inference takes it: 32 texts at a time, cut where too long', async () => {
    const texts = Array.from({ length: 70 }, (_, i) => 'x'.repeat(i % 10));
    const tei = open({ model: undefined, url: provider.url });
    expect(await tei.rerank('q', texts, never)).toEqual(texts.map(({ length }) => length / 10));
    expect(provider.asked.map(({ path }) => path)).toEqual(['/rerank', '/rerank', '/rerank']);
    const sent = bodies().toSorted((a, b) => b.texts!.length - a.texts!.length);
    expect(sent.map((body) => body.texts!.length)).toEqual([32, 32, 6]);
    expect(sent[0]).toMatchObject({ query: 'q', truncate: true, raw_scores: false });
    expect(sent[0]).not.toHaveProperty('documents');
  });

  it('that answers logits is understood, and stays so', async () => {
    const reranker = open();
    provider.next.push(scores(7.7, -2.3, 0.4), scores(0.4, 0));
    const [first, second, third] = await reranker.rerank('q', ['a', 'b', 'c'], never);
    expect(first).toBeCloseTo(0.99955, 4);
    expect(second).toBeCloseTo(0.0911, 4);
    expect(await reranker.rerank('q', ['a', 'b'], never)).toEqual([third, 0.5]);
  });

  it.each([
    ['a 503', sends('', 503)],
    ['a 429', sends('', 429)],
    ['a connection that breaks', hangsUp],
  ])('is asked once more after %s', async (_, answer) => {
    provider.next.push(answer);
    expect(await open().rerank('q', ['a'], never)).toEqual([0.1]);
    provider.otherwise = answer;
    provider.asked.length = 0;
    expect(await failure()).toMatchObject({ name: 'ProviderError', retryable: true });
    expect(provider.asked).toHaveLength(2);
  });

  it.each([
    ['a 401', sends('', 401), /does not accept/],
    ['a 422', sends('', 422), /answers 422/],
    ['something else than JSON', sends('sorry'), /a response that is not JSON/],
    ['no scores', json({ data: [] }), /without scores/],
    ['null', json(null), /without scores/],
    ['too few', scores(0.5), /1 scores for 2 texts/],
    ['too many', scores(0.5, 0.5, 0.5), /an invalid index, a repeated index or no score/],
    [
      'a place twice',
      json([
        { index: 0, score: 1 },
        { index: 0, score: 1 },
      ]),
      /an invalid index, a repeated index or no score/,
    ],
    [
      'a place that is none',
      json([{ index: 0.5, score: 1 }]),
      /an invalid index, a repeated index or no score/,
    ],
    ['a score that is none', scores(0.5, 'x'), /an invalid index, a repeated index or no score/],
  ])('that answers %s cannot be used, and is not asked again', async (_, answer, message) => {
    provider.otherwise = answer;
    expect((await failure()).message).toMatch(message);
    expect(provider.asked).toHaveLength(1);
  });

  it('that is silent is given up in time, and at once with the caller', async () => {
    provider.otherwise = hangs;
    expect(await failure({ timeoutMs: 50 })).toMatchObject({ name: 'ProviderTimeout' });
    expect(provider.asked).toHaveLength(1);
    const leaves = new AbortController();
    provider.otherwise = () => leaves.abort(new Error('gone'));
    await expect(open().rerank('q', ['a'], leaves.signal)).rejects.toThrow('gone');
  });

  it('tells neither key nor texts in an error', async () => {
    provider.otherwise = sends(`${KEY} may not see my words`, 403);
    expect(String((await failure()).stack)).not.toMatch(/sk-secret|my words|127\.0\.0\.1/);
  });
});

describe('the scale of scores', () => {
  const number = fc.double({ noNaN: true, min: -30, max: 30 });

  it('is 0 to 1, and keeps the order of the numbers', () => {
    fc.assert(
      fc.property(fc.array(number, { minLength: 2, maxLength: 20 }), (numbers) => {
        const scaled = createScoreNormalizer()(numbers);
        expect(scaled.every((score) => score >= 0 && score <= 1)).toBe(true);
        const byNumber = scaled.map((_, i) => i).toSorted((a, b) => numbers[a]! - numbers[b]!);
        const inOrder = byNumber.map((i) => scaled[i]!);
        expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
      }),
    );
  });

  it('leaves probabilities as they are, rounding aside', () => {
    expect(createScoreNormalizer()([0, 0.25, 1, 1.000_000_1, -0.000_000_1])).toEqual([0, 0.25, 1, 1, 0]);
  });
});
