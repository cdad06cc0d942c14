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
 * The vectors of a response `{data: [{index, embedding}]}`, in the order of the texts; the response may have any order.
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
  /** Base URL of the API, such as `https://api.openai.com/v1`; the client appends `/embeddings`. */
  readonly url: string;
  readonly model: string;
  readonly key?: string | undefined;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Maximum number of requests for one batch. Default: 4. */
  readonly attempts?: number;
  /** Timeout of one request. Default: 60,000. */
  readonly timeoutMs?: number;
}

/** Doubles for each further request. */
const FIRST_DELAY_MS = 500;
/** Longest delay that a provider may ask for within one call; the caller decides on longer ones. */
const MAX_WAIT_MS = 20_000;
/** 96 vectors of 4,096 numbers, in their longest JSON form, are smaller. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Calls POST {base}/embeddings in OpenAI's format, which most model servers support. The API has no kinds of text:
 * questions and passages are sent alike. Transient errors (429, 408, 5xx, a failed connection, a timeout) are retried
 * with growing delays, randomised so that many processes do not come back together, or when the provider says.
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
  const { url, model, key, dispatcher, attempts = 4, timeoutMs = 60_000, sleep } = options;
  const provider: Provider = {
    name: 'the embedding provider',
    dispatcher,
    url: new URL(`${url.replace(/\/+$/, '')}/embeddings`),
    key,
    timeoutMs,
    maxBytes: MAX_BYTES,
    retry: { attempts, firstDelayMs: FIRST_DELAY_MS, maxDelayMs: MAX_WAIT_MS },
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

/** Statuses about the request's content: others are about the key, the model or the URL. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422]);

const unavailable = (what: string): EmbedderUnavailable =>
  new EmbedderUnavailable(`the embedding provider cannot be used: ${what}`);
