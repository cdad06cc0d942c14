import type { Dispatcher } from 'undici';
import type { Reranker } from '../../../application/ports/search-index.ts';
import { ask } from '../../http-client/ask.ts';
import { InvalidResponse } from '../../http-client/provider-response.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * One number per text, in their order, of `{results: [{index, relevance_score}]}` or `[{index, score}]`, which come in
 * any order.
 *
 * @throws InvalidResponse where a text has none or two
 */
const numbersOf = (answer: unknown, texts: number): readonly number[] => {
  const results = Array.isArray(answer) ? answer : ((answer ?? {}) as Fields)['results'];
  if (!Array.isArray(results)) throw new InvalidResponse('sent JSON that holds no scores');
  const numbers = Array.from<number | undefined>({ length: texts });
  for (const result of results as readonly unknown[]) {
    const { index, relevance_score: relevanceScore, score = relevanceScore } = (result ?? {}) as Fields;
    const isPlace = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < texts;
    if (!isPlace || numbers[index] !== undefined || typeof score !== 'number' || !Number.isFinite(score))
      throw new InvalidResponse('sent scores that cannot be told apart');
    numbers[index] = score;
  }
  return numbers.map((number) => {
    if (number === undefined) throw new InvalidResponse(`sent ${results.length} scores for ${texts} texts`);
    return number;
  });
};

/** What arithmetic may put a probability beside 0 and 1. */
const SLACK = 1e-6;

/**
 * Scores from 0 to 1 of what a model answers: probabilities as they are, and logits, which some servers pass on, through
 * the logistic function, which keeps their order. Logits are known by numbers outside of 0 and 1. A model that has
 * answered one is taken to answer logits from then on, so that its scores can be compared from search to search.
 */
export const createScale = (): ((numbers: readonly number[]) => readonly number[]) => {
  let areLogits = false;
  return (numbers) => {
    areLogits ||= numbers.some((number) => number < -SLACK || number > 1 + SLACK);
    return numbers.map((number) =>
      areLogits ? 1 / (1 + Math.exp(-number)) : Math.min(1, Math.max(0, number)),
    );
  };
};

export interface RerankerOptions {
  readonly dispatcher: Dispatcher;
  /** Base of the API, such as `https://api.cohere.com/v2`; `/rerank` is put behind it. No credentials in it. */
  readonly url: string;
  /** As the provider calls it. Undefined: a text-embeddings-inference server, which has one. */
  readonly model: string | undefined;
  readonly key?: string | undefined;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** For one try. Default: 10,000. */
  readonly timeoutMs?: number;
}

/** Somebody waits for the answer. */
const RETRY = { attempts: 2, firstDelayMs: 250, maxDelayMs: 2_000 };
const TIMEOUT_MS = 10_000;
/** A hundred scores are a few KiB; some servers send the texts back. */
const MAX_BYTES = 8 * 1024 * 1024;
/** What a text-embeddings-inference server takes in one request unless it is told otherwise. */
const TEI_TEXTS = 32;

/**
 * POST {base}/rerank, as Cohere (v2), Jina, vLLM and llama.cpp speak it: `{model, query, documents, top_n}`. Without a
 * model as text-embeddings-inference does, 32 texts at a time: `{query, texts, truncate, raw_scores}`.
 */
export const createReranker = (options: RerankerOptions): Reranker => {
  const { dispatcher, model, key, sleep, timeoutMs = TIMEOUT_MS } = options;
  const url = new URL(`${options.url.replace(/\/+$/, '')}/rerank`);
  const server = { name: 'the reranker', dispatcher, url, key, sleep, timeoutMs };
  const provider = { ...server, maxBytes: MAX_BYTES, retry: RETRY };
  const scaled = createScale();

  const judge = (query: string, texts: readonly string[], signal: AbortSignal) => {
    const body =
      model === undefined
        ? { query, texts, truncate: true, raw_scores: false }
        : { model, query, documents: texts, top_n: texts.length };
    return ask(provider, body, (answer) => numbersOf(answer, texts.length), signal);
  };

  return {
    rerank: async (query, texts, signal) => {
      if (texts.length === 0) return [];
      const most = model === undefined ? TEI_TEXTS : texts.length;
      const batches = Array.from({ length: Math.ceil(texts.length / most) }, (_, i) =>
        texts.slice(i * most, (i + 1) * most),
      );
      const over = new AbortController();
      const either = AbortSignal.any([signal, over.signal]);
      try {
        return scaled((await Promise.all(batches.map((batch) => judge(query, batch, either)))).flat());
      } finally {
        over.abort(); // one that failed ends the others
      }
    },
  };
};
