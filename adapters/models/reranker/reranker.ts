import type { Dispatcher } from 'undici';
import type { Reranker } from '../../../application/ports/reranker.ts';
import { ask } from '../../http-client/ask.ts';
import { InvalidResponse } from '../../http-client/provider-response.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads one score per text, in the order of the texts. The results in `{results: [{index, relevance_score}]}` or
 * `[{index, score}]` may come in any order.
 *
 * @throws InvalidResponse when a text has no score or two scores
 */
const readScores = (answer: unknown, texts: number): readonly number[] => {
  const results = Array.isArray(answer) ? answer : ((answer ?? {}) as Fields)['results'];
  if (!Array.isArray(results)) throw new InvalidResponse('sent JSON without scores');
  const numbers = Array.from<number | undefined>({ length: texts });
  for (const result of results as readonly unknown[]) {
    const { index, relevance_score: relevanceScore, score = relevanceScore } = (result ?? {}) as Fields;
    const isValidIndex = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < texts;
    if (!isValidIndex || numbers[index] !== undefined || typeof score !== 'number' || !Number.isFinite(score))
      throw new InvalidResponse('sent a result with an invalid index, a repeated index or no score');
    numbers[index] = score;
  }
  return numbers.map((number) => {
    if (number === undefined) throw new InvalidResponse(`sent ${results.length} scores for ${texts} texts`);
    return number;
  });
};

/** Rounding tolerance: how far outside of 0 to 1 a probability may be. */
const TOLERANCE = 1e-6;

/**
 * Normalizes model outputs to scores from 0 to 1. Probabilities are kept; logits, which some servers return, go through
 * the logistic function, which preserves their order. A number outside of 0 to 1 is a logit; after the first one, all
 * outputs of the model are treated as logits, so that scores stay comparable between searches.
 */
export const createScoreNormalizer = (): ((numbers: readonly number[]) => readonly number[]) => {
  let areLogits = false;
  return (numbers) => {
    areLogits ||= numbers.some((number) => number < -TOLERANCE || number > 1 + TOLERANCE);
    return numbers.map((number) =>
      areLogits ? 1 / (1 + Math.exp(-number)) : Math.min(1, Math.max(0, number)),
    );
  };
};

export interface RerankerOptions {
  readonly dispatcher: Dispatcher;
  /** Base URL of the API, such as `https://api.cohere.com/v2`; the client appends `/rerank`. Without credentials. */
  readonly url: string;
  /** The provider's name of the model. Undefined for a text-embeddings-inference server, which serves one model. */
  readonly model: string | undefined;
  readonly key?: string | undefined;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Timeout of one attempt. Default: 10,000. */
  readonly timeoutMs?: number;
}

/** Few, short retries: a search request waits for the scores. */
const RETRY = { attempts: 2, firstDelayMs: 250, maxDelayMs: 2_000 };
const TIMEOUT_MS = 10_000;
/** A hundred scores are a few KiB; some servers send the texts back. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Default maximum batch size of a text-embeddings-inference server. */
const TEI_BATCH_SIZE = 32;

/**
 * Calls POST {base}/rerank in the format of Cohere (v2), Jina, vLLM and llama.cpp: `{model, query, documents, top_n}`.
 * Without a model it uses the format of text-embeddings-inference, in batches of 32 texts: `{query, texts, truncate,
 * raw_scores}`.
 */
export const createReranker = (options: RerankerOptions): Reranker => {
  const { dispatcher, model, key, sleep, timeoutMs = TIMEOUT_MS } = options;
  const url = new URL(`${options.url.replace(/\/+$/, '')}/rerank`);
  const server = { name: 'the reranker', dispatcher, url, key, sleep, timeoutMs };
  const provider = { ...server, maxBytes: MAX_BYTES, retry: RETRY };
  const normalize = createScoreNormalizer();

  const requestScores = (query: string, texts: readonly string[], signal: AbortSignal) => {
    const body =
      model === undefined
        ? { query, texts, truncate: true, raw_scores: false }
        : { model, query, documents: texts, top_n: texts.length };
    return ask(provider, body, (answer) => readScores(answer, texts.length), signal);
  };

  return {
    rerank: async (query, texts, signal) => {
      if (texts.length === 0) return [];
      const most = model === undefined ? TEI_BATCH_SIZE : texts.length;
      const batches = Array.from({ length: Math.ceil(texts.length / most) }, (_, i) =>
        texts.slice(i * most, (i + 1) * most),
      );
      const over = new AbortController();
      const either = AbortSignal.any([signal, over.signal]);
      try {
        return normalize(
          (await Promise.all(batches.map((batch) => requestScores(query, batch, either)))).flat(),
        );
      } finally {
        over.abort(); // if one batch fails, abort the others
      }
    },
  };
};
