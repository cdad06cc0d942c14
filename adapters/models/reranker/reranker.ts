import type { Dispatcher } from 'undici';
import type { Reranker } from '../../../application/ports/search-index.ts';
import { ask } from '../../http-client/ask.ts';
import { createScale, numbersOf } from './scores.ts';

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
const RETRY = { tries: 2, firstDelayMs: 250, maxDelayMs: 2_000 };
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
