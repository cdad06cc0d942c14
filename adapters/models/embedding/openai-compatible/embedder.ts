import type { Dispatcher } from 'undici';
import {
  type Embedder,
  EmbedderUnavailable,
  EmbeddingRefused,
} from '../../../../application/ports/embedder.ts';
import { ProviderError, ProviderTimeout } from '../../../../application/ports/language-model.ts';
import { ask, type Provider } from '../../../http-client/ask.ts';
import { InvalidResponse } from '../../../http-client/provider-response.ts';
import { batchesOf } from './batches.ts';

/**
 * The vectors of an answer `{data: [{index, embedding}]}`, in the order of the texts, whatever order they came in.
 *
 * @throws InvalidResponse
 */
const vectorsOf = (answer: unknown, count: number): readonly Float32Array[] => {
  const { data } = (answer ?? {}) as { readonly data?: unknown };
  if (!Array.isArray(data) || data.length !== count) {
    throw new InvalidResponse(
      `answers ${Array.isArray(data) ? data.length : 'no'} vectors for ${count} texts`,
    );
  }
  const vectors = Array.from<Float32Array | undefined>({ length: count });
  for (const [place, item] of (data as readonly unknown[]).entries()) {
    const { index = place, embedding } = (item ?? {}) as {
      readonly index?: unknown;
      readonly embedding?: unknown;
    };
    const isPlace = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < count;
    if (!isPlace || vectors[index] !== undefined)
      throw new InvalidResponse('answers vectors whose places cannot be told');
    vectors[index] = vectorOf(embedding);
  }
  return vectors.map((vector) => vector ?? new Float32Array());
};

const vectorOf = (embedding: unknown): Float32Array => {
  const numbers = Array.isArray(embedding) ? (embedding as readonly unknown[]) : [];
  const usable = numbers.length > 0 && numbers.every((value) => Number.isFinite(value));
  const vector = usable ? Float32Array.from(numbers as readonly number[]) : new Float32Array();
  if (!vector.some((value) => value !== 0)) throw new InvalidResponse('answers a vector without a direction');
  return vector;
};

export interface OpenAiCompatibleOptions {
  readonly dispatcher: Dispatcher;
  /** Base of the API, such as `https://api.openai.com/v1`; `/embeddings` is put behind it. */
  readonly url: string;
  readonly model: string;
  readonly key?: string | undefined;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Requests in all for one batch. Default: 4. */
  readonly attempts?: number;
  /** Before the second request, doubled for each further one. Default: 500. */
  readonly retryMs?: number;
  /** For one request. Default: 60,000. */
  readonly timeoutMs?: number;
}

/** Longest wait that a provider may ask for within one call; the caller waits longer, if it wants to. */
const MAX_WAIT_MS = 20_000;
/** 96 vectors of 4,096 numbers, as long as JSON may print them, are less. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * POST {base}/embeddings, as OpenAI defined it and most servers of models speak it. That interface knows no kinds of
 * texts: questions and passages are sent alike.
 *
 * What may pass (429, 408, 5xx, a connection that fails, a time-out) is repeated with growing delays, at random so that
 * many processes do not come back together, or when the provider says.
 */
export const createOpenAiCompatibleEmbedder = (options: OpenAiCompatibleOptions): Embedder => {
  let dimensions: number | null = null;
  const checked = (vectors: readonly Float32Array[]): readonly Float32Array[] => {
    for (const { length } of vectors) {
      dimensions ??= length;
      if (length !== dimensions)
        throw unavailable(`it answered vectors of ${length} dimensions after such of ${dimensions}`);
    }
    return vectors;
  };
  return {
    model: options.model,
    get dimensions() {
      return dimensions;
    },
    embed: async (texts, _kind, signal) => {
      const vectors: Float32Array[] = [];
      for (const batch of batchesOf(texts))
        vectors.push(...checked(await embedBatch(options, batch, signal)));
      return vectors;
    },
  };
};

const embedBatch = async (
  options: OpenAiCompatibleOptions,
  input: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[]> => {
  const { url, model, key, dispatcher, attempts = 4, retryMs = 500, timeoutMs = 60_000, sleep } = options;
  const provider: Provider = {
    name: 'the embedding provider',
    dispatcher,
    url: new URL(`${url.replace(/\/+$/, '')}/embeddings`),
    key,
    timeoutMs,
    maxBytes: MAX_BYTES,
    retry: { attempts, firstDelayMs: retryMs, maxDelayMs: MAX_WAIT_MS },
    repeatsTimeouts: true,
    sleep,
  };
  try {
    return await ask(provider, { model, input }, (answer) => vectorsOf(answer, input.length), signal);
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error);
  }
};

const failureOf = (error: unknown): unknown => {
  if (error instanceof ProviderTimeout) return new EmbedderUnavailable(error.message);
  if (!(error instanceof ProviderError)) return error;
  const { status, message } = error;
  const isRefused = status !== undefined && REFUSED.has(status);
  return isRefused ? new EmbeddingRefused(`${message} to these texts`) : new EmbedderUnavailable(message);
};

/** Of the request's content: others speak of the key, the model or the address. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422]);

const unavailable = (what: string): EmbedderUnavailable =>
  new EmbedderUnavailable(`the embedding provider cannot be used: ${what}`);
